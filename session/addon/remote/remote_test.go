package remote_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"steno/session/addon/remote"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// server is a server without a network, for tests by a clock of their own.
type server func(r *http.Request) (*http.Response, error)

func (s server) RoundTrip(r *http.Request) (*http.Response, error) { return s(r) }

func answer(status int, header http.Header, body string) *http.Response {
	return &http.Response{StatusCode: status, Header: header, Body: io.NopCloser(strings.NewReader(body))}
}

func create(t *testing.T, s server, c remote.Config) *remote.Caller {
	t.Helper()
	c.Service = "test server"
	c.Client = &http.Client{Transport: s}
	caller := remote.New(c)
	t.Cleanup(func() { _ = caller.Close() })
	return caller
}

// call makes a request and reads the whole answer.
func call(ctx context.Context, c *remote.Caller, address string) (string, error) {
	var out string
	err := c.Call(ctx, func(ctx context.Context) error {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err != nil {
			return err
		}
		response, err := c.Do(r)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		b, err := io.ReadAll(response.Body)
		out = string(b)
		return err
	})
	return out, err
}

// TestRetries holds after how long, by the clock, the answer is there, or what failed.
func TestRetries(t *testing.T) {
	for name, test := range map[string]struct {
		header, value string
		body          string
		statuses      []int // before all is well; 0: the connection breaks
		wait          time.Duration
		status        int // what clients receive; 0: no error
		exception     string
	}{
		"well":         {},
		"once broken":  {statuses: []int{500}, wait: 500 * time.Millisecond},
		"twice broken": {statuses: []int{502, 0}, wait: 1500 * time.Millisecond},
		"always broken": {statuses: []int{500, 503, 500}, wait: 1500 * time.Millisecond, status: 502,
			exception: "TestServerFailed"},
		"no connection": {statuses: []int{0, 0, 0}, wait: 1500 * time.Millisecond, status: 502,
			exception: "TestServerUnreachable"},
		"asks for time": {header: "Retry-After", value: "7", statuses: []int{429}, wait: 7 * time.Second},
		"asks for a date": {header: "Retry-After", value: "Sat, 01 Jan 2000 00:00:20 GMT", statuses: []int{503},
			wait: 20 * time.Second},
		"asks for nothing": {header: "Retry-After", value: "-5", statuses: []int{429}, wait: 500 * time.Millisecond},
		"asks for noise":   {header: "Retry-After", value: "NaN", statuses: []int{429}, wait: 500 * time.Millisecond},
		"asks for a day": {header: "Retry-After", value: "86400", statuses: []int{429}, status: 429,
			exception: "TestServerRateLimited"},
		"no quota": {body: `{"error":{"code":"insufficient_quota"}}`, statuses: []int{429}, status: 429,
			exception: "TestServerRateLimited"},
		"too many": {statuses: []int{429, 429, 429}, wait: 1500 * time.Millisecond, status: 429,
			exception: "TestServerRateLimited"},
		"no key": {statuses: []int{401}, status: 502, exception: "TestServerRefused"},
		"moved": {header: "Location", value: "http://elsewhere/", statuses: []int{307}, status: 502,
			exception: "TestServerRefused"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				statuses := test.statuses
				c := create(t, func(r *http.Request) (*http.Response, error) {
					if r.URL.Host != "secret" {
						t.Errorf("asked %s", r.URL.Host)
					}
					if len(statuses) == 0 {
						return answer(200, nil, "well"), nil
					}
					status := statuses[0]
					statuses = statuses[1:]
					if status == 0 {
						return nil, errors.New("connection reset")
					}
					return answer(status, http.Header{test.header: {test.value}}, test.body+"secret"), nil
				}, remote.Config{})
				begin := time.Now()
				out, err := call(t.Context(), c, "http://secret/")
				if took := time.Since(begin); took != test.wait {
					t.Errorf("took %v, want %v", took, test.wait)
				}
				told := remote.Addon(err)
				switch {
				case test.status == 0 && (err != nil || out != "well"):
					t.Errorf("%q, %v", out, err)
				case test.status != 0 && (told == nil || told.StatusCode != test.status || told.Exception !=
					test.exception):
					t.Errorf("%+v, want %d %s", told, test.status, test.exception)
				case err != nil && strings.Contains(err.Error(), "secret"):
					t.Errorf("the error tells too much: %v", err)
				}
			})
		})
	}
}

// TestHanging has a server that never answers: each request ends in its time, the call in its own.
func TestHanging(t *testing.T) {
	for name, test := range map[string]struct {
		config remote.Config
		own    time.Duration // the caller's own limit; 0: none
		want   time.Duration
	}{
		"timeout": {remote.Config{Timeout: 10 * time.Second, MinBackoff: time.Second}, 0, 33 * time.Second},
		"budget":  {remote.Config{Timeout: time.Hour, Budget: 5 * time.Second}, 0, 5 * time.Second},
		"no third": {remote.Config{Timeout: 10 * time.Second, MinBackoff: time.Second, Budget: 22 * time.Second}, 0,
			21 * time.Second},
		"own": {remote.Config{Timeout: time.Hour}, 3 * time.Second, 3 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			c := create(t, func(r *http.Request) (*http.Response, error) {
				<-r.Context().Done()
				return nil, r.Context().Err()
			}, test.config)
			ctx := t.Context()
			if test.own > 0 {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, test.own)
				defer cancel()
			}
			begin := time.Now()
			_, err := call(ctx, c, "http://x/")
			if told, took := remote.Addon(err), time.Since(begin); told == nil || told.StatusCode != 504 ||
				took != test.want {
				t.Errorf("%s: %+v after %v, want 504 after %v", name, told, took, test.want)
			}
		})
	}
}

// TestBodies comes over a real connection.
func TestBodies(t *testing.T) {
	for name, test := range map[string]struct {
		write     func(w http.ResponseWriter)
		exception string
		requests  int
	}{
		"truncated": {func(w http.ResponseWriter) {
			w.Header().Set("Content-Length", "1000")
			_, _ = w.Write([]byte("amber"))
		}, "TestServerUnreachable", 3},
		"cut off": {func(w http.ResponseWriter) {
			if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
				_ = conn.Close()
			}
		}, "TestServerUnreachable", 3},
		"oversized": {func(w http.ResponseWriter) { _, _ = w.Write(make([]byte, 1001)) }, "TestServerInvalidAnswer", 1},
		"largest":   {func(w http.ResponseWriter) { _, _ = w.Write(make([]byte, 1000)) }, "", 1},
		"huge refusal": {func(w http.ResponseWriter) {
			w.WriteHeader(400)
			for range 100 {
				if _, err := w.Write(make([]byte, 1<<20)); err != nil {
					return
				}
			}
		}, "TestServerRefused", 1},
	} {
		var mu sync.Mutex
		requests := 0
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			mu.Lock()
			requests++
			mu.Unlock()
			test.write(w)
		}))
		c := remote.New(remote.Config{Service: "test server", MinBackoff: time.Millisecond, MaxAnswer: 1000})
		_, err := call(t.Context(), c, s.URL)
		if err != nil && strings.Contains(err.Error(), s.Listener.Addr().String()) && test.exception ==
			"TestServerRefused" {
			t.Errorf("%s: the error tells the address: %v", name, err)
		}
		if got := remote.Addon(err); (got == nil) != (test.exception == "") || got != nil && got.Exception !=
			test.exception {
			t.Errorf("%s: %+v, want %s", name, got, test.exception)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		s.Close()
		if requests != test.requests {
			t.Errorf("%s: %d requests, want %d", name, requests, test.requests)
		}
	}
}

// TestOrder has one request at a time: they go by priority, then in order of coming, and too many
// are refused.
func TestOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked []string
		busy := 0
		c := create(t, func(r *http.Request) (*http.Response, error) {
			if busy++; busy > 1 {
				t.Error("two at a time")
			}
			time.Sleep(time.Second)
			busy--
			asked = append(asked, r.URL.Host)
			return answer(200, nil, ""), nil
		}, remote.Config{Concurrency: 1, Queue: 5})
		var calls sync.WaitGroup
		gone, cancel := context.WithCancel(t.Context())
		for _, name := range []string{"first", "job1", "end1", "job2", "live1", "gone"} {
			ctx := t.Context()
			switch name[:3] {
			case "gon":
				ctx = gone
			case "end":
				ctx = remote.WithPriority(ctx, remote.Soon)
			case "liv":
				ctx = remote.WithPriority(ctx, remote.Now)
			}
			calls.Go(func() {
				if _, err := call(ctx, c, "http://"+name+"/"); (err != nil) != (name == "gone") {
					t.Errorf("%s: %v", name, err)
				}
			})
			synctest.Wait()
		}
		_, err := call(t.Context(), c, "http://over/")
		if told := remote.Addon(err); told == nil || told.StatusCode != 503 || told.Exception !=
			"TestServerOverloaded" {
			t.Errorf("one too many: %+v", told)
		}
		cancel()
		synctest.Wait()
		calls.Go(func() {
			if _, err := call(remote.WithPriority(t.Context(), remote.Now), c, "http://live2/"); err != nil {
				t.Errorf("live2: %v", err)
			}
		})
		calls.Wait()
		if want := []string{"first", "live1", "live2", "end1", "job1", "job2"}; !slices.Equal(asked, want) {
			t.Errorf("asked in the order %v, want %v", asked, want)
		}
	})
}

// TestClose ends what is under way, and waits for it.
func TestClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := create(t, func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			time.Sleep(time.Second) // until the connection is gone
			return nil, r.Context().Err()
		}, remote.Config{Concurrency: 1})
		ended := make([]error, 2)
		var calls sync.WaitGroup
		for i := range ended {
			calls.Go(func() { _, ended[i] = call(t.Context(), c, "http://x/") })
		}
		synctest.Wait()
		begin := time.Now()
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		if time.Since(begin) != time.Second {
			t.Errorf("closed after %v", time.Since(begin))
		}
		calls.Wait()
		_, late := call(t.Context(), c, "http://x/")
		for _, err := range append(ended, late) {
			if told := remote.Addon(err); told == nil || told.Exception != "TestServerClosed" {
				t.Errorf("ended with %v", err)
			}
		}
	})
}

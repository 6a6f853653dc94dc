package outbound

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// slowly runs use in fake time, with a Client whose every connection is answered by answer.
func slowly(t *testing.T, answer func(io.Writer), use func(t *testing.T, c *Client)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var servers sync.WaitGroup
		var mu sync.Mutex
		var ends []net.Conn
		c := newClient(wiring{connect: func(context.Context, string, string) (net.Conn, error) {
			here, there := net.Pipe()
			mu.Lock()
			ends = append(ends, there)
			mu.Unlock()
			servers.Go(func() { answering(there, answer) })
			return here, nil
		}})
		use(t, c)
		c.Close()
		for _, end := range ends {
			end.Close()
		}
		servers.Wait()
	})
}

// took returns how long f lasts in fake time.
func took(f func()) time.Duration {
	from := time.Now()
	f()
	return time.Since(from)
}

func TestSilentServer(t *testing.T) {
	slowly(t, func(io.Writer) { time.Sleep(time.Hour) }, func(t *testing.T, c *Client) {
		d := took(func() {
			if _, err := c.Fetch(t.Context(), "http://a.example", io.Discard,
				FetchLimits{Bytes: 1, Duration: time.Hour, Rate: 0}); !errors.Is(err, ErrTimeout) {
				t.Errorf("fetch: %v", err)
			}
		})
		if d != headerTimeout {
			t.Errorf("fetch took %v", d)
		}
		d = took(func() {
			if _, _, err := c.Send(t.Context(), "POST", "http://a.example", nil, nil); !errors.Is(err, ErrTimeout) {
				t.Errorf("send: %v", err)
			}
		})
		if d > sendTimeout {
			t.Errorf("send took %v", d)
		}
	})
}

// trickle writes one byte of a body per pause.
func trickle(pause time.Duration) func(io.Writer) {
	return func(w io.Writer) {
		_, err := io.WriteString(w, "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
		for i := 0; i < 100000 && err == nil; i++ {
			time.Sleep(pause)
			_, err = w.Write([]byte{'a'})
		}
	}
}

func TestTrickle(t *testing.T) {
	for _, test := range []struct{ pause, whole, want time.Duration }{
		{10 * time.Second, 5 * time.Minute, 5 * time.Minute}, // never idle, but too long in all
		{time.Hour, 5 * time.Minute, idleTimeout},
		{10 * time.Second, 15 * time.Second, 15 * time.Second},
	} {
		slowly(t, trickle(test.pause), func(t *testing.T, c *Client) {
			var body bytes.Buffer
			d := took(func() {
				if _, err := c.Fetch(t.Context(), "http://a.example", &body, FetchLimits{Bytes: 1 << 20,
					Duration: test.whole, Rate: 0}); !errors.Is(err, ErrTimeout) {
					t.Errorf("%+v: %v", test, err)
				}
			})
			if d != test.want {
				t.Errorf("%+v: took %v after %d bytes", test, d, body.Len())
			}
		})
	}
}

// A server that never pauses but sends too little does not last as long as a fetch may in all.
func TestLeastRate(t *testing.T) {
	const perSecond = 100 // bytes
	steady := func(w io.Writer) {
		_, err := io.WriteString(w, "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
		for left := 100_000; left > 0 && err == nil; left -= perSecond {
			time.Sleep(time.Second)
			_, err = w.Write(make([]byte, perSecond))
		}
	}
	for _, test := range []struct {
		rate int64
		want error
		took time.Duration
	}{{0, nil, 1000 * time.Second}, {perSecond - 1, nil, 1000 * time.Second}, {perSecond + 1, ErrSlow, rateWindow}} {
		slowly(t, steady, func(t *testing.T, c *Client) {
			d := took(func() {
				_, err := c.Fetch(t.Context(), "http://a.example", io.Discard, FetchLimits{Bytes: 1 << 20,
					Duration: time.Hour, Rate: test.rate})
				if !errors.Is(err, test.want) {
					t.Errorf("%+v: %v", test, err)
				}
			})
			if d != test.took {
				t.Errorf("%+v: took %v", test, d)
			}
		})
	}
}

// The status of a callback's answer counts, however slowly its body comes.
func TestSendDoesNotWaitForTheBody(t *testing.T) {
	slowly(t, trickle(time.Second), func(t *testing.T, c *Client) {
		d := took(func() {
			if status, _, err := c.Send(t.Context(), "POST", "http://a.example", nil, []byte("x")); status !=
				http.StatusOK || err != nil {
				t.Error(status, err)
			}
		})
		if d > drainTimeout {
			t.Errorf("took %v", d)
		}
	})
}

// A slow disk is not the server's fault.
func TestSlowWriter(t *testing.T) {
	answer := func(w io.Writer) {
		_, _ = io.WriteString(w, "HTTP/1.1 200 OK\r\nContent-Length: 200000\r\n\r\n"+strings.Repeat("a", 200_000))
	}
	slowly(t, answer, func(t *testing.T, c *Client) {
		info, err := c.Fetch(t.Context(), "http://a.example", sleeper{2 * idleTimeout}, FetchLimits{Bytes: 1 << 20,
			Duration: 24 * time.Hour, Rate: 0})
		if err != nil || info.Bytes != 200_000 {
			t.Errorf("%+v %v", info, err)
		}
	})
}

type sleeper struct{ pause time.Duration }

func (s sleeper) Write(p []byte) (int, error) { time.Sleep(s.pause); return len(p), nil }

// What ends by its caller's wish is no timeout of the server.
func TestCancelled(t *testing.T) {
	slowly(t, trickle(time.Second), func(t *testing.T, c *Client) {
		ctx, cancel := context.WithCancel(t.Context())
		defer time.AfterFunc(5500*time.Millisecond, cancel).Stop()
		info, err := c.Fetch(ctx, "http://a.example", io.Discard, FetchLimits{Bytes: 1 << 20, Duration: time.Hour,
			Rate: 0})
		if !errors.Is(err, context.Canceled) || errors.Is(err, ErrTimeout) || info.Bytes != 5 {
			t.Errorf("%+v %v", info, err)
		}
		if _, _, err := c.Send(ctx, "POST", "http://a.example", nil, nil); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

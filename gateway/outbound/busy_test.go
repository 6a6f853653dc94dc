package outbound

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"code.dny.dev/ssrf"
)

// busy fetches from a server whose requests are answered by handle, in fake time. Requests are
// counted from 1.
func busy(t *testing.T, url string, handle func(w http.ResponseWriter, r *http.Request, n int)) (got []byte, asked int,
	err error) {
	t.Helper()
	return away(t, url, func() error { return nil }, handle)
}

// away is busy where each connection is made only if connect returns no error. io.EOF: it is made,
// and closed when something comes.
func away(t *testing.T, url string, connect func() error, handle func(w http.ResponseWriter, r *http.Request,
	n int)) (got []byte, asked int, err error) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		conns := make(chan net.Conn)
		var n atomic.Int64
		s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			handle(w, r,
				int(n.Add(1)))
		})}
		go func() { _ = s.Serve(pipeListener{conns, make(chan struct{})}) }()
		c := newClient(wiring{connect: func(ctx context.Context, _, _ string) (net.Conn, error) {
			here, there := net.Pipe()
			switch err := connect(); err {
			case nil:
				conns <- there
			case io.EOF:
				go func() {
					_, _ = there.Read(make([]byte, 16<<10))
					_ = there.Close()
				}()
			default:
				return nil, err
			}
			return here, nil
		}})
		var out bytes.Buffer
		_, err = c.Fetch(t.Context(), url, &out, FetchLimits{Bytes: 1 << 20, Duration: time.Hour,
			Patience: 3 * time.Minute})
		got, asked = out.Bytes(), int(n.Load())
		c.Close()
		s.Close()
		synctest.Wait()
	})
	return got, asked, err
}

// pipeListener accepts what is sent to it.
type pipeListener struct {
	conns  chan net.Conn
	closed chan struct{}
}

func (l pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l pipeListener) Close() error {
	close(l.closed)
	return nil
}

func (l pipeListener) Addr() net.Addr { return &net.TCPAddr{} }

// A server that is busy or breaks off is asked again, within its time, and for what is missing
// where it can do that.
func TestBusyServers(t *testing.T) {
	file := bytes.Repeat([]byte("0123456789abcdef"), 20000)
	cut := func(w http.ResponseWriter, body []byte, n int) {
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		_, _ = w.Write(body[:n])
		panic(http.ErrAbortHandler)
	}
	for name, c := range map[string]struct {
		handle func(w http.ResponseWriter, r *http.Request, n int)
		asked  int
		fails  string // empty: it does not
	}{
		"busy twice": {func(w http.ResponseWriter, r *http.Request, n int) {
			if n < 3 {
				w.Header().Set("Retry-After", "7")
				w.WriteHeader([]int{429, 503}[n-1])
				return
			}
			_, _ = w.Write(file)
		}, 3, ""},
		"asks for too long a pause": {func(w http.ResponseWriter, r *http.Request, n int) {
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(503)
		}, 1, "status 503"},
		"always fails": {func(w http.ResponseWriter, r *http.Request, n int) { w.WriteHeader(500) }, 10, "status 500"},
		"is not there": {func(w http.ResponseWriter, r *http.Request, n int) { w.WriteHeader(404) }, 1, "status 404"},
		"hangs up once": {func(w http.ResponseWriter, r *http.Request, n int) {
			if n == 1 {
				panic(http.ErrAbortHandler)
			}
			_, _ = w.Write(file)
		}, 2, ""},
		"breaks off, and goes on": {func(w http.ResponseWriter, r *http.Request, n int) {
			w.Header().Set("ETag", `"v1"`)
			if n == 1 {
				cut(w, file, 100000)
			}
			from, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(r.Header.Get("Range"), "bytes="), "-"))
			if err != nil || from == 0 || r.Header.Get("If-Range") != `"v1"` {
				t.Errorf("range %q of %q", r.Header.Get("Range"), r.Header.Get("If-Range"))
			}
			w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(file)-1, len(file)))
			w.WriteHeader(206)
			_, _ = w.Write(file[from:])
		}, 2, ""},
		"breaks off, and begins again": {func(w http.ResponseWriter, r *http.Request, n int) {
			if n == 1 {
				cut(w, file, 100000)
			}
			_, _ = w.Write(file)
		}, 2, ""},
		"breaks off, and has another file": {func(w http.ResponseWriter, r *http.Request, n int) {
			if n == 1 {
				cut(w, file, 100000)
			}
			_, _ = w.Write(file[1:])
		}, 2, "changed"},
		"a page": {func(w http.ResponseWriter, r *http.Request, n int) {
			_, _ = io.WriteString(w, "<!DOCTYPE html><html><body>Sign in</body></html>")
		}, 1, "web page"},
	} {
		got, asked, err := busy(t, "http://a.example/a.wav", c.handle)
		switch {
		case c.fails == "" && (err != nil || !bytes.Equal(got, file)):
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		case c.fails != "" && (err == nil || !strings.Contains(Message(err), c.fails)):
			t.Errorf("%s: %v", name, err)
		case asked != c.asked:
			t.Errorf("%s: asked %d times, not %d", name, asked, c.asked)
		}
	}
}

// User and password are sent as such, and never to another host.
func TestUserAndPassword(t *testing.T) {
	var seen []string
	_, _, err := busy(t, "http://ann:s%40cret@a.example/a.wav", func(w http.ResponseWriter, r *http.Request, n int) {
		user, password, _ := r.BasicAuth()
		seen = append(seen, r.Host+" "+user+" "+password)
		if r.Host == "a.example" {
			http.Redirect(w, r, "http://b.example/b.wav", http.StatusFound)
			return
		}
		w.WriteHeader(404)
	})
	if got := strings.Join(seen, ", "); got != "a.example ann s@cret, b.example  " {
		t.Errorf("requests %q", got)
	}
	if err == nil || strings.Contains(err.Error(), "cret") {
		t.Errorf("error %v", err)
	}
	c := client(t, wiring{})
	for _, url := range []string{"http://user@a.example/", "http://user:hunter2@a.example/"} {
		if _, _, err := c.Send(t.Context(), "POST", url, nil, nil); !errors.Is(err, ErrURL) ||
			strings.Contains(err.Error(), "hunter2") {
			t.Errorf("a callback to %s: %v", url, err)
		}
	}
	var bad *StatusError
	if !errors.As(err, &bad) {
		t.Errorf("error %v", err)
	}
}

// A server that cannot be connected to for the moment is asked again as one that is busy; one whose
// name does not exist is not, and neither is one whose address is not allowed, which takes the same
// time.
func TestServersThatAreAway(t *testing.T) {
	dial := func(cause error) error { return &net.OpError{Op: "dial", Net: "tcp", Err: cause} }
	refused := dial(os.NewSyscallError("connect", syscall.ECONNREFUSED))
	const often = 10
	for name, c := range map[string]struct {
		url   string
		fault error
		times int // that it is met
		asked int // connections
		fails error
	}{
		"refuses twice": {"http://a.example/a.wav", refused, 2, 3, nil},
		"refuses":       {"http://a.example/a.wav", refused, 1000, often, ErrUnreachable},
		"no route": {"http://a.example/a.wav", dial(os.NewSyscallError("connect", syscall.EHOSTUNREACH)),
			1, 2, nil},
		"no network": {"http://a.example/a.wav", dial(os.NewSyscallError("connect", syscall.ENETUNREACH)),
			1, 2, nil},
		"resolver fails": {"http://a.example/a.wav",
			dial(&net.DNSError{Err: "server misbehaving", IsTemporary: true}), 3, 4, nil},
		"resolver always fails": {"http://a.example/a.wav",
			dial(&net.DNSError{Err: "server misbehaving", IsTemporary: true}), 1000, often, ErrUnreachable},
		"resolver takes long": {"http://a.example/a.wav", dial(&net.DNSError{Err: "timeout", IsTimeout: true}), 1,
			2, nil},
		"no such name": {"http://a.example/a.wav",
			dial(&net.DNSError{Err: "no such host", IsNotFound: true}), 1000, 1, ErrUnreachable},
		"private":                {"http://a.example/a.wav", dial(ssrf.ErrProhibitedIP), 1000, 1, ErrUnreachable},
		"hangs up in the answer": {"http://a.example/a.wav", io.EOF, 1, 2, nil},
		"hangs up in TLS":        {"https://a.example/a.wav", io.EOF, 1000, often, ErrUnreachable},
		"resets in TLS":          {"https://a.example/a.wav", dial(syscall.ECONNRESET), 1000, often, ErrUnreachable},
	} {
		n := 0
		got, _, err := away(t, c.url, func() error {
			if n++; n > c.times {
				return nil
			}
			return c.fault
		}, func(w http.ResponseWriter, _ *http.Request, _ int) { _, _ = io.WriteString(w, "audio") })
		if n != c.asked || !errors.Is(err, c.fails) || c.fails == nil && string(got) != "audio" {
			t.Errorf("%s: %d connections, not %d; %q, %v", name, n, c.asked, got, err)
		}
	}
}

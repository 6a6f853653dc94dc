package outbound

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// Messages to clients name no address, path or resolver.
func TestMessage(t *testing.T) {
	for err, want := range map[error]string{
		tidy(t.Context(), &net.DNSError{Server: "10.0.0.53:53",
			Err: "no such host"}): "server cannot be reached, or its address is not allowed",
		fmt.Errorf("%w: 10.0.0.1", ErrRefusedAddress):      "address is not allowed",
		New(false).Check("https://user:secret@a.example/"): "URL is not acceptable: must not hold a user or password",
		&StatusError{Code: 404}:                            "server answered with status 404",
		errors.New("write /data/x: full"):                  "request failed",
	} {
		if got := Message(err); got != want {
			t.Errorf("%v: %q, want %q", err, got, want)
		}
	}
}

func TestRedirects(t *testing.T) {
	s := inner(t)
	to := ""
	c := outside(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/go":
			http.Redirect(w, r, to, http.StatusFound)
		case "/again":
			http.Redirect(w, r, "/again", http.StatusFound)
		case "/five", "/four", "/three", "/two", "/one":
			next := map[string]string{"/five": "/four", "/four": "/three", "/three": "/two", "/two": "/one",
				"/one": "/end"}
			http.Redirect(w, r, next[r.URL.Path], http.StatusMovedPermanently)
		default:
			fmt.Fprint(w, "audio", r.Header.Get("Referer"), r.Header.Get("Cookie"))
		}
	})
	port := portOf(s)
	for target, want := range map[string]error{
		"http://127.0.0.1:" + port: ErrRefusedAddress, "http://localhost:" + port: ErrRefusedAddress,
		"http://[::ffff:127.0.0.1]:" + port: ErrRefusedAddress, "http://2130706433:" + port: ErrRefusedAddress,
		"http://169.254.169.254/latest/meta-data": ErrRefusedAddress, "//10.0.0.1/": ErrRefusedAddress,
		"file:///etc/passwd": ErrURL, "http://user:pw@other.example/": ErrURL, "gopher://other.example/": ErrURL,
		"/again": ErrRedirect,
	} {
		to = target
		if _, err := c.Fetch(t.Context(), "http://a.example/go", io.Discard, ample); !errors.Is(err, want) {
			t.Errorf("to %s: %v, want %v", target, err, want)
		}
		status, _, err := c.Send(t.Context(), "POST", "http://a.example/go", nil, nil)
		if status != http.StatusFound || err != nil {
			t.Errorf("a callback followed to %s: %d %v", target, status, err)
		}
	}
	to = "http://b.example/five?token=hunter2"
	var body bytes.Buffer
	if _, err := c.Fetch(t.Context(), "http://a.example/go?token=hunter2", &body, ample); !errors.Is(err, ErrRedirect) {
		t.Errorf("six redirects: %v", err)
	}
	info, err := c.Fetch(t.Context(), "http://a.example/five?token=hunter2", &body, ample)
	if err != nil || body.String() != "audio" || info.FinalURL != "http://a.example/end" || info.Bytes != 5 {
		t.Errorf("five redirects: %+v %q %v", info, body.String(), err)
	}
}

func TestNoRedirectFromTLS(t *testing.T) {
	plain := inner(t)
	s := httptest.NewUnstartedServer(http.RedirectHandler(plain.URL, http.StatusFound))
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // that a client refuses the certificate
	s.StartTLS()
	defer s.Close()
	roots := s.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	c := client(t, wiring{allowPrivate: true, roots: roots})
	if _, err := c.Fetch(t.Context(), s.URL, io.Discard, ample); !errors.Is(err, ErrRedirect) {
		t.Error(err)
	}
	strict := client(t, wiring{allowPrivate: true})
	if _, err := strict.Fetch(t.Context(), s.URL, io.Discard, ample); !errors.Is(err, ErrUnreachable) {
		t.Errorf("an unknown certificate: %v", err)
	}
}

func TestFilename(t *testing.T) {
	c := outside(t, func(w http.ResponseWriter, r *http.Request) {
		if d := r.Header.Get("User-Agent"); d != userAgent {
			t.Error(d)
		}
		w.Header().Set("Content-Disposition", r.URL.Query().Get("d"))
	})
	for _, test := range []struct{ url, want string }{
		{"/a/call.mp3", "call.mp3"}, {"/", ""}, {"", ""}, {"/a/b/", "b"}, {"/%2e%2e", ""}, {"/a%2Fb%5Cc.wav", "c.wav"},
		{"/x?d=attachment;filename=y.ogg", "x"}, {"/x?d=attachment%3Bfilename=y.ogg", "y.ogg"},
		{"/x?d=attachment%3Bfilename*%3DUTF-8''%25e2%2582%25ac.ogg", "€.ogg"}, {"/a%00%0a%1b%ffb", "ab"},
		{"/x?d=attachment%3Bfilename=%22..%22", "x"}, {"/" + strings.Repeat("%c3%a4", 200), strings.Repeat("ä", 127)},
	} {
		info, err := c.Fetch(t.Context(), "http://a.example"+test.url, io.Discard, ample)
		if err != nil || info.Filename != test.want {
			t.Errorf("%s: %q, want %q, %v", test.url, info.Filename, test.want, err)
		}
	}
}

func TestSizes(t *testing.T) {
	c := outside(t, func(w http.ResponseWriter, r *http.Request) {
		body := bytes.Repeat([]byte("a"), 100_000)
		switch r.URL.Path {
		case "/announced":
			w.Header().Set("Content-Length", fmt.Sprint(len(body)))
		case "/short":
			w.Header().Set("Content-Length", fmt.Sprint(len(body)+1))
		case "/chunked":
			w.(http.Flusher).Flush()
		case "/gzip":
			w.Header().Set("Content-Encoding", "gzip")
		}
		_, _ = w.Write(body)
	})
	for _, test := range []struct {
		path    string
		limit   int64
		written int64
		err     error
	}{
		{"/announced", 100_000, 100_000, nil}, {"/announced", 99_999, 0, ErrTooLarge},
		{"/chunked", 100_000, 100_000, nil}, {"/chunked", 99_999, 99_999, ErrTooLarge},
		{"/gzip", 100_000, 100_000, nil}, {"/short", 200_000, 100_000, ErrIncomplete},
	} {
		var body bytes.Buffer
		info, err := c.Fetch(t.Context(), "http://a.example"+test.path, &body, FetchLimits{Bytes: test.limit,
			Duration: time.Minute})
		if !errors.Is(err, test.err) || int64(body.Len()) != test.written || info.Bytes != test.written {
			t.Errorf("%s, limit %d: %d bytes, %v", test.path, test.limit, body.Len(), err)
		}
	}
	full := errors.New("disk full")
	if _, err := c.Fetch(t.Context(), "http://a.example/chunked", failing{full}, ample); !errors.Is(err, full) {
		t.Error(err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestStatus(t *testing.T) {
	c := outside(t, func(w http.ResponseWriter, r *http.Request) {
		var code int
		_, _ = fmt.Sscan(r.URL.Path[1:], &code)
		w.Header().Set("Retry-After", r.URL.Query().Get("r"))
		w.WriteHeader(code)
	})
	for _, code := range []int{204, 206, 304, 401, 404, 410, 500, 503} {
		url := fmt.Sprint("http://a.example/", code)
		_, err := c.Fetch(t.Context(), url, io.Discard, ample)
		if e, ok := errors.AsType[*StatusError](err); !ok || e.Code != code {
			t.Errorf("%d: %v", code, err)
		}
		if status, _, err := c.Send(t.Context(), "POST", url, nil, nil); status != code || err != nil {
			t.Errorf("%d: sent, %d %v", code, status, err)
		}
	}
	if _, retry, err := c.Send(t.Context(), "POST", "http://a.example/429?r=120", nil, nil); retry != 2*time.Minute ||
		err != nil {
		t.Error(retry, err)
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"": 0, "0": 0, "7": 7 * time.Second, "86400": maxRetryAfter, "86401": maxRetryAfter,
		"9223372036854775807": maxRetryAfter,
		"-1":                  0, "1.5": 0, "soon": 0, "99999999999999999999": 0,
		"Fri, 02 Jan 2026 03:05:05 GMT": time.Minute, "Fri, 02 Jan 2026 03:00:00 GMT": 0,
		"Fri, 02 Jan 2099 03:00:00 GMT": maxRetryAfter,
	} {
		if got := parseRetryAfter(value, now); got != want {
			t.Errorf("%q: %v, want %v", value, got, want)
		}
	}
}

// An endless header or answer to a callback is not read to its end.
func TestEndlessAnswers(t *testing.T) {
	c := outside(t, func(w http.ResponseWriter, r *http.Request) {
		line := []byte(strings.Repeat("a", 1000))
		if r.URL.Path == "/header" {
			for i := range 1000 {
				w.Header().Set(fmt.Sprint("X-", i), string(line))
			}
		}
		for r.Context().Err() == nil {
			if _, err := w.Write(line); err != nil {
				return
			}
		}
	})
	if status, _, err := c.Send(t.Context(), "POST", "http://a.example/", nil, nil); status != 200 || err != nil {
		t.Error(status, err)
	}
	for way, err := range bothWays(t, c, "http://a.example/header") {
		if err == nil {
			t.Errorf("%s: a header of 1 MB was taken", way)
		}
	}
}

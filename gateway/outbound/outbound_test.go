package outbound

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/net/dns/dnsmessage"
)

// TestMain names a proxy where nobody listens, so that whatever used it would fail.
func TestMain(m *testing.M) {
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"} {
		if err := os.Setenv(name, "http://127.0.0.1:1"); err != nil {
			panic(err)
		}
	}
	goleak.VerifyTestMain(m)
}

var ample = FetchLimits{Bytes: 1 << 20, Duration: time.Minute}

func client(t *testing.T, w wiring) *Client {
	t.Helper()
	c := newClient(w)
	t.Cleanup(func() { c.Close() })
	return c
}

// serve runs a handler on loopback.
func serve(t *testing.T, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

// inner is a loopback server that nobody should reach.
func inner(t *testing.T) *httptest.Server {
	t.Helper()
	return serve(t, func(http.ResponseWriter, *http.Request) { t.Error("the inner server was reached") })
}

// names is a real DNS server on loopback: its n-th question for an A record gets the n-th answer, then the last.
// AAAA questions get none.
func names(t *testing.T, answers ...[]string) *net.Resolver {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var done sync.WaitGroup
	done.Go(func() {
		buf := make([]byte, 1500)
		for asked := 0; ; {
			n, from, err := conn.ReadFrom(buf)
			if err != nil {
				return
			}
			var m dnsmessage.Message
			if err := m.Unpack(buf[:n]); err != nil || len(m.Questions) != 1 {
				t.Errorf("odd question: %v", err)
				return
			}
			m.Response, m.RecursionAvailable, m.Additionals = true, true, nil
			q := m.Questions[0]
			if q.Type == dnsmessage.TypeA {
				for _, a := range answers[min(asked, len(answers)-1)] {
					m.Answers = append(m.Answers, dnsmessage.Resource{
						Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class},
						Body:   &dnsmessage.AResource{A: [4]byte(net.ParseIP(a).To4())}})
				}
				asked++
			}
			b, err := m.Pack()
			if err != nil {
				t.Error(err)
				return
			}
			if _, err := conn.WriteTo(b, from); err != nil {
				return
			}
		}
	})
	t.Cleanup(func() { conn.Close(); done.Wait() })
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", conn.LocalAddr().String())
	}}
}

func portOf(s *httptest.Server) string {
	_, port, _ := net.SplitHostPort(s.Listener.Addr().String())
	return port
}

// bothWays tries a URL by Fetch and Send.
func bothWays(t *testing.T, c *Client, url string) map[string]error {
	t.Helper()
	_, fetch := c.Fetch(t.Context(), url, io.Discard, ample)
	_, _, send := c.Send(t.Context(), http.MethodPost, url, nil, []byte("x"))
	return map[string]error{"fetch": fetch, "send": send}
}

func TestAddressesRefused(t *testing.T) {
	s := inner(t)
	c := client(t, wiring{dialled: func(address string) error {
		t.Errorf("%s was dialled", address)
		return errors.New("not here")
	}})
	for _, host := range []string{
		"127.0.0.1", "127.1.2.3", "localhost", "LOCALHOST", "localhost.", "a.localhost", "127.0.0.1.", "0.0.0.0", "0.1.2.3",
		"10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254", "169.254.0.1", "100.64.0.1",
		"100.100.100.200", "192.0.0.192", "168.63.129.16", "224.0.0.1", "239.255.255.255", "240.0.0.1",
		"255.255.255.255", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.9",
		"2130706433", "0x7f000001", "0X7F000001", "017700000001", "127.1", "127.0.1", "0177.0.0.1", "0x7f.0.0.1",
		"127.0.0.0x1", "10.0x0.0.1", "192.168.257", "127.0.0.01", "3232235777", "00000000177.1", "1.2.3.4.5", "256.1.1.1",
		"[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::ffff:10.0.0.1]", "[::ffff:8.8.8.8]", "[::127.0.0.1]",
		"[64:ff9b::7f00:1]", "[64:ff9b::a9fe:a9fe]", "[64:ff9b:1::7f00:1]", "[2002:7f00:1::]", "[2001:0:4136:e378::]",
		"[fd00:ec2::254]", "[fc00::1]", "[fe80::1]", "[fe80::1%25lo]", "[::1%25lo]", "[ff02::1]", "[2001:db8::1]", "[3fff::1]",
	} {
		url := "http://" + host + ":" + portOf(s) + "/secret?token=hunter2"
		for way, err := range bothWays(t, c, url) {
			if !errors.Is(err, ErrRefusedAddress) {
				t.Errorf("%s %s: %v", way, host, err)
			} else if strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "secret") {
				t.Errorf("%s %s: the error tells the URL: %v", way, host, err)
			}
		}
	}
}

func TestURLsRefused(t *testing.T) {
	for _, private := range []bool{false, true} {
		c := client(t, wiring{allowPrivate: private})
		for _, url := range []string{
			"", "/etc/passwd", "file:///etc/passwd", "ftp://example.org/a", "gopher://example.org", "javascript:1", "data:audio/wav,",
			"example.org/a.wav", "//example.org/a", "http:", "http://", "http:///a", "https://:443/", "http:example.org",
			"http://user@example.org/", "http://user:hunter2@example.org/", "http://example.org:0/", "http://example.org:65536/",
			"http://example.org:x/", "http://a b/", "http://[::1/", "http://exa\nmple.org", "http://" + strings.Repeat("a", maxURL),
		} {
			for way, err := range bothWays(t, c, url) {
				if !errors.Is(err, ErrURL) || strings.Contains(err.Error(), "hunter2") {
					t.Errorf("%s %.60q: %v", way, url, err)
				}
			}
			if err := c.Check(url); !errors.Is(err, ErrURL) {
				t.Errorf("check %.60q: %v", url, err)
			}
		}
	}
}

// What a client is told names no address, path or resolver.
func TestMessage(t *testing.T) {
	for err, want := range map[error]string{
		tidy(t.Context(), &net.DNSError{Server: "10.0.0.53:53", Err: "no such host"}): "server cannot be reached",
		fmt.Errorf("%w: 10.0.0.1", ErrRefusedAddress):                                 "address is not allowed",
		&StatusError{Code: 404}:           "server answered with status 404",
		errors.New("write /data/x: full"): "request failed",
	} {
		if got := Message(err); got != want {
			t.Errorf("%v: %q, want %q", err, got, want)
		}
	}
}

func TestCheckPasses(t *testing.T) {
	c := client(t, wiring{})
	for _, url := range []string{"http://example.org", "https://example.org:8443/a?b=c#d", "HTTPS://8.8.8.8/", "http://[2606:4700::1111]/",
		"http://1.example.org/", "http://0xff.example.org./", "http://example.x7f/"} {
		if err := c.Check(url); err != nil {
			t.Errorf("%s: %v", url, err)
		}
	}
}

// The address that is dialled is the one that was judged, whatever a name meant before.
func TestRebinding(t *testing.T) {
	s := inner(t)
	stopped := errors.New("stopped after the guard agreed")
	var dialled []string
	c := client(t, wiring{
		resolver: names(t, []string{"93.184.216.34"}, []string{"127.0.0.1"}, []string{"169.254.169.254"}),
		dialled:  func(address string) error { dialled = append(dialled, address); return stopped },
	})
	url := "http://rebind.example:" + portOf(s) + "/"
	if _, err := c.Fetch(t.Context(), url, io.Discard, ample); !errors.Is(err, stopped) {
		t.Fatalf("the public answer: %v", err)
	}
	if len(dialled) != 1 || dialled[0] != "93.184.216.34:"+portOf(s) {
		t.Fatalf("dialled %v", dialled)
	}
	for range 3 {
		for way, err := range bothWays(t, c, url) {
			if !errors.Is(err, ErrRefusedAddress) {
				t.Errorf("%s: %v", way, err)
			}
		}
	}
	if len(dialled) != 1 {
		t.Errorf("dialled %v", dialled)
	}
}

// A name with a public and a private address reaches the public one at most, in either order.
func TestMixedAnswers(t *testing.T) {
	s := inner(t)
	for _, answer := range [][]string{{"93.184.216.34", "127.0.0.1"}, {"127.0.0.1", "93.184.216.34"}} {
		var dialled []string
		c := client(t, wiring{resolver: names(t, answer), dialled: func(address string) error {
			dialled = append(dialled, address)
			return errors.New("unreachable")
		}})
		if _, err := c.Fetch(t.Context(), "http://mixed.example:"+portOf(s), io.Discard, ample); err == nil {
			t.Error("no error")
		}
		if len(dialled) != 1 || !strings.HasPrefix(dialled[0], "93.184.216.34:") {
			t.Errorf("%v: dialled %v", answer, dialled)
		}
	}
}

// outside serves handler as if at public addresses: every connection goes there, except private ones, which are
// judged as ever.
func outside(t *testing.T, handler http.HandlerFunc) *Client {
	t.Helper()
	s := serve(t, handler)
	guarded := wiring{}.dialer()
	return client(t, wiring{connect: func(ctx context.Context, network, address string) (net.Conn, error) {
		if host, _, _ := net.SplitHostPort(address); strings.HasSuffix(host, ".example") {
			return new(net.Dialer).DialContext(ctx, network, s.Listener.Addr().String())
		}
		return guarded.DialContext(ctx, network, address)
	}})
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
			next := map[string]string{"/five": "/four", "/four": "/three", "/three": "/two", "/two": "/one", "/one": "/end"}
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

func TestAllowPrivate(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "audio/wav; x=y")
		w.Header().Set("Content-Disposition", `attachment; filename="../../a b.wav"`)
		fmt.Fprint(w, r.Method, " ", r.Header.Get("X-One"), " ", r.Header.Get("User-Agent"), " ", r.Header.Get("Accept-Encoding"), string(body))
	})
	c := New(true)
	defer c.Close()
	var body bytes.Buffer
	info, err := c.Fetch(t.Context(), s.URL+"/x.mp3", &body, ample)
	want := FetchInfo{ContentType: "audio/wav", Filename: "a b.wav", FinalURL: s.URL + "/x.mp3", Bytes: int64(body.Len())}
	if err != nil || info != want || body.String() != "GET  steno " {
		t.Errorf("%+v %q %v", info, body.String(), err)
	}
	header := http.Header{"X-One": {"1"}}
	status, retry, err := c.Send(t.Context(), http.MethodPut, s.URL, header, []byte("data"))
	if status != 200 || retry != 0 || err != nil || len(header) != 1 {
		t.Error(status, retry, err, header)
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
		info, err := c.Fetch(t.Context(), "http://a.example"+test.path, &body, FetchLimits{Bytes: test.limit, Duration: time.Minute})
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
	if _, retry, err := c.Send(t.Context(), "POST", "http://a.example/429?r=120", nil, nil); retry != 2*time.Minute || err != nil {
		t.Error(retry, err)
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"": 0, "0": 0, "7": 7 * time.Second, "86400": maxRetryAfter, "86401": maxRetryAfter, "9223372036854775807": maxRetryAfter,
		"-1": 0, "1.5": 0, "soon": 0, "99999999999999999999": 0,
		"Fri, 02 Jan 2026 03:05:05 GMT": time.Minute, "Fri, 02 Jan 2026 03:00:00 GMT": 0, "Fri, 02 Jan 2099 03:00:00 GMT": maxRetryAfter,
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

func FuzzCheck(f *testing.F) {
	for _, seed := range []string{"http://127.0.0.1", "http://2130706433/", "https://a@b/", "http://[::ffff:7f00:1]:80/", "http://0x7f.1"} {
		f.Add(seed)
	}
	c := New(false)
	f.Fuzz(func(t *testing.T, url string) {
		err := c.Check(url)
		if err != nil && !errors.Is(err, ErrURL) && !errors.Is(err, ErrRefusedAddress) {
			t.Errorf("%q: %v", url, err)
		}
		u, parsed := c.parse(url)
		if parsed != nil {
			return
		}
		if _, err := http.NewRequest("GET", u.String(), nil); err != nil {
			t.Errorf("%q passes, but is no request: %v", url, err)
		}
		if ip := net.ParseIP(u.Hostname()); ip != nil && (ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast()) {
			t.Errorf("%q passes", url)
		}
	})
}

// A server that answers every request on a connection, for tests in fake time.
func answering(conn net.Conn, answer func(io.Writer)) {
	defer conn.Close()
	in := bufio.NewReader(conn)
	for {
		req, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		_, _ = io.Copy(io.Discard, req.Body)
		answer(conn)
	}
}

// The dialer judges by itself, whatever was checked before it.
func TestDialerJudges(t *testing.T) {
	guarded, open := wiring{}.dialer(), wiring{allowPrivate: true}.dialer()
	for address, public := range map[string]bool{
		"93.184.216.34:80": true, "[2606:4700::1111]:65535": true, "127.0.0.1:80": false, "[::1]:80": false,
		"[::ffff:127.0.0.1]:80": false, "[64:ff9b::7f00:1]:80": false, "[fd00:ec2::254]:80": false, "[fe80::1%lo]:80": false,
		"[2002:7f00:1::]:80": false, "[ff02::1]:80": false, "[::]:80": false, "0.0.0.0:80": false, "100.64.0.1:80": false,
		"169.254.169.254:80": false, "168.63.129.16:80": false, "224.0.0.1:80": false, "255.255.255.255:80": false,
	} {
		network := "tcp4"
		if address[0] == '[' {
			network = "tcp6"
		}
		if err := guarded.Control(network, address, nil); (err == nil) != public || err != nil && !isRefusal(err) {
			t.Errorf("%s: %v", address, err)
		}
		if err := open.Control(network, address, nil); err != nil {
			t.Errorf("%s, all allowed: %v", address, err)
		}
	}
}

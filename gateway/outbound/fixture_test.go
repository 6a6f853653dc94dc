package outbound

import (
	"bufio"
	"context"
	"io"
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

// TestMain configures a proxy address on which nothing listens, so that every request through it
// would fail.
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

// inner is a loopback server that must not be reached.
func inner(t *testing.T) *httptest.Server {
	t.Helper()
	return serve(t, func(http.ResponseWriter, *http.Request) { t.Error("the inner server was reached") })
}

// names is a real DNS server on loopback: its n-th question for an A record gets the n-th answer,
// then the last. AAAA questions get none.
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

// outside serves handler as if at public addresses: every connection goes there, except private
// ones, which are judged as ever.
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

package gateway

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
)

// ask makes a request from a peer to a host, with headers.
func ask(method, path, peer, host string, headers ...string) *http.Request {
	req := httptest.NewRequest(method, path, nil)
	req.RemoteAddr, req.Host = peer, host
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Add(headers[i], headers[i+1])
	}
	local := &net.TCPAddr{IP: net.IPv4(192, 168, 7, 7), Port: 8080}
	return req.WithContext(context.WithValue(req.Context(), http.LocalAddrContextKey, local))
}

// given returns the addresses that a client of the host gets: of a live session's socket, and in
// the links of a list.
func given(t *testing.T, r *testServer, peer, host string, headers ...string) (socket, link string) {
	t.Helper()
	var live struct{ URL string }
	a := r.serve(ask("POST", "/v2/live", peer, host, headers...), `{}`)
	if err := json.Unmarshal(a.body, &live); err != nil || a.status != http.StatusCreated {
		t.Fatalf("%s: %d %s", host, a.status, a.body)
	}
	var page struct{ First string }
	a = r.serve(ask("GET", "/v2/live", peer, host, headers...), "")
	if err := json.Unmarshal(a.body, &page); err != nil || a.status != http.StatusOK {
		t.Fatalf("%s: %d %s", host, a.status, a.body)
	}
	socket, _, _ = strings.Cut(live.URL, "/v2/live?token=")
	link, _, _ = strings.Cut(page.First, "/v2/transcription?")
	return socket, link
}

// Addresses use the request's host only if it is known or private. Otherwise one warning states
// what to configure.
func TestHostsInAddresses(t *testing.T) {
	r := newTestServer(t, func(c *Config) { c.Hosts = []string{"STT.example.org", "*.steno.example"} })
	const instead = "192.168.7.7:8080"
	for host, want := range map[string]string{
		"localhost:8080": "", "127.0.0.1": "", "10.1.2.3:8080": "", "[::1]:8080": "", "[2001:db8::1]": "",
		"203.0.113.5:80": "",
		"box":            "", "box:8080": "", "box.local:8080": "", "Box.Local.": "", "stt.home.arpa": "",
		"steno.default.svc.cluster.local": "",
		"stt.example.org":                 "", "STT.Example.org.:8443": "", "a.steno.example": "",
		"evil.example": instead, "stt.example.org.evil.example": instead, "evilsteno.example:80": instead,
		"steno.example":               instead,
		"box.local.evil.example:8080": instead, "a@evil.example": instead, "evil.example/path": instead, "a b": instead,
		"[::1%25eth0]": instead, "evil.example:x": instead, "box\"><script>": instead, "": instead, "[evil]": instead,
	} {
		if want == "" {
			want = host
		}
		socket, link := given(t, r, "198.51.100.7:4711", host)
		if socket != "ws://"+want || link != "http://"+want {
			t.Errorf("%q: %s, %s", host, socket, link)
		}
	}
	if n := strings.Count(r.lines.String(), "public_url"); n != 1 {
		t.Errorf("%d warnings: %s", n, r.lines)
	}
}

func TestAnyHost(t *testing.T) {
	r := newTestServer(t, func(c *Config) { c.Hosts = []string{"*"} })
	if socket, _ := given(t, r, "198.51.100.7:4711", "anything.example:1"); socket != "ws://anything.example:1" {
		t.Error(socket)
	}
	if socket, _ := given(t, r, "198.51.100.7:4711", "any thing"); socket != "ws://192.168.7.7:8080" {
		t.Error(socket)
	}
}

// Forwarded headers count if the proxy is trusted; otherwise one warning names the configuration
// key.
func TestForwardedAddresses(t *testing.T) {
	r := newTestServer(t, func(c *Config) { c.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")} })
	const trusted, stranger = "10.0.0.9:555", "198.51.100.7:4711"
	for _, tc := range []struct {
		peer, host string
		headers    []string
		socket     string
	}{
		{trusted, "127.0.0.1:8080", []string{"X-Forwarded-Proto", "https", "X-Forwarded-Host", "stt.example.org"},
			"wss://stt.example.org"},
		{trusted, "stt.example.org", []string{"X-Forwarded-Proto", "https"}, "wss://stt.example.org"},
		{trusted, "127.0.0.1", []string{"X-Forwarded-Host", "a.example:8443, b.example"}, "ws://a.example:8443"},
		{trusted, "stt.example.org", []string{"X-Forwarded-Host", "a b/c", "X-Forwarded-Proto", "gopher"},
			"ws://stt.example.org"},
		{stranger, "127.0.0.1", []string{"X-Forwarded-Proto", "https", "X-Forwarded-Host", "evil.example"},
			"ws://127.0.0.1"},
	} {
		socket, link := given(t, r, tc.peer, tc.host, tc.headers...)
		if socket != tc.socket || link != "http"+strings.TrimPrefix(tc.socket, "ws") {
			t.Errorf("%+v: %s, %s", tc, socket, link)
		}
	}
	for range 3 {
		given(t, r, stranger, "localhost", "X-Forwarded-For", "1.2.3.4")
	}
	if n := strings.Count(r.lines.String(), "trusted_proxies"); n != 1 {
		t.Errorf("%d warnings: %s", n, r.lines)
	}
}

// The client is the last one that no trusted proxy vouches for, in the log as well.
func TestClientAddress(t *testing.T) {
	r := newTestServer(t, func(c *Config) {
		c.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("::1/128")}
	})
	for _, tc := range []struct {
		peer   string
		hops   []string
		client string
	}{
		{"198.51.100.7:1", nil, "198.51.100.7"},
		{"198.51.100.7:1", []string{"1.2.3.4"}, "198.51.100.7"},
		{"10.0.0.1:1", nil, "10.0.0.1"},
		{"10.0.0.1:1", []string{"1.2.3.4"}, "1.2.3.4"},
		{"10.0.0.1:1", []string{"6.6.6.6, 1.2.3.4, 10.0.0.2"}, "1.2.3.4"},
		{"10.0.0.1:1", []string{"6.6.6.6", "1.2.3.4", "10.0.0.2"}, "1.2.3.4"},
		{"10.0.0.1:1", []string{"1.2.3.4:5678"}, "1.2.3.4"},
		{"[::1]:1", []string{"[2001:db8::5]:443"}, "2001:db8::5"},
		{"[::1]:1", []string{"2001:db8::5"}, "2001:db8::5"},
		{"[::ffff:10.0.0.1]:1", []string{"::ffff:1.2.3.4"}, "1.2.3.4"},
		{"10.0.0.1:1", []string{"1.2.3.4, unknown"}, "10.0.0.1"},
		{"10.0.0.1:1", []string{"10.0.0.3, 10.0.0.2"}, "10.0.0.3"},
		{"10.0.0.1:1", []string{strings.Repeat(",", 1000)}, "10.0.0.1"},
	} {
		req := ask("GET", noSuchJob, tc.peer, "localhost")
		req.Header["X-Forwarded-For"] = tc.hops
		if got := r.server.proxies.Client(req); got.String() != tc.client {
			t.Errorf("%s %q: %s, want %s", tc.peer, tc.hops, got, tc.client)
		}
		r.lines.Reset()
		r.serve(req, "")
		if !strings.Contains(r.lines.String(), `"client":"`+tc.client+`"`) {
			t.Errorf("%s: log %s", tc.client, r.lines)
		}
	}
}

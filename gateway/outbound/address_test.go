package outbound

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

func TestAddressesRefused(t *testing.T) {
	s := inner(t)
	c := client(t, wiring{dialled: func(address string) error {
		t.Errorf("%s was dialled", address)
		return errors.New("not here")
	}})
	for _, host := range []string{
		"127.0.0.1", "127.1.2.3", "localhost", "LOCALHOST", "localhost.", "a.localhost", "127.0.0.1.", "0.0.0.0",
		"0.1.2.3",
		"10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254", "169.254.0.1", "100.64.0.1",
		"100.100.100.200", "192.0.0.192", "168.63.129.16", "224.0.0.1", "239.255.255.255", "240.0.0.1",
		"255.255.255.255", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.9",
		"2130706433", "0x7f000001", "0X7F000001", "017700000001", "127.1", "127.0.1", "0177.0.0.1", "0x7f.0.0.1",
		"127.0.0.0x1", "10.0x0.0.1", "192.168.257", "127.0.0.01", "3232235777", "00000000177.1", "1.2.3.4.5",
		"256.1.1.1",
		"[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::ffff:10.0.0.1]", "[::ffff:8.8.8.8]",
		"[::127.0.0.1]",
		"[64:ff9b::7f00:1]", "[64:ff9b::a9fe:a9fe]", "[64:ff9b:1::7f00:1]", "[2002:7f00:1::]", "[2001:0:4136:e378::]",
		"[fd00:ec2::254]", "[fc00::1]", "[fe80::1]", "[fe80::1%25lo]", "[::1%25lo]", "[ff02::1]", "[2001:db8::1]",
		"[3fff::1]",
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
			"", "/etc/passwd", "file:///etc/passwd", "ftp://example.org/a", "gopher://example.org", "javascript:1",
			"data:audio/wav,",
			"example.org/a.wav", "//example.org/a", "http:", "http://", "http:///a", "https://:443/",
			"http:example.org",
			"http://example.org:0/", "http://example.org:65536/",
			"http://example.org:x/", "http://a b/", "http://[::1/", "http://exa\nmple.org", "http://" +
				strings.Repeat("a", maxURL),
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

func TestCheckPasses(t *testing.T) {
	c := client(t, wiring{})
	for _, url := range []string{"http://example.org", "https://example.org:8443/a?b=c#d", "HTTPS://8.8.8.8/",
		"http://[2606:4700::1111]/",
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
			if !errors.Is(err, ErrUnreachable) {
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

func TestAllowPrivate(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "audio/wav; x=y")
		w.Header().Set("Content-Disposition", `attachment; filename="../../a b.wav"`)
		fmt.Fprint(w, r.Method, " ", r.Header.Get("X-One"), " ", r.Header.Get("User-Agent"), " ",
			r.Header.Get("Accept-Encoding"), string(body))
	})
	c := New(true)
	defer c.Close()
	var body bytes.Buffer
	info, err := c.Fetch(t.Context(), s.URL+"/x.mp3", &body, ample)
	want := FetchInfo{ContentType: "audio/wav", Filename: "a b.wav", FinalURL: s.URL + "/x.mp3",
		Bytes: int64(body.Len())}
	if err != nil || info != want || body.String() != "GET  steno " {
		t.Errorf("%+v %q %v", info, body.String(), err)
	}
	header := http.Header{"X-One": {"1"}}
	status, retry, err := c.Send(t.Context(), http.MethodPut, s.URL, header, []byte("data"))
	if status != 200 || retry != 0 || err != nil || len(header) != 1 {
		t.Error(status, retry, err, header)
	}
}

func FuzzCheck(f *testing.F) {
	for _, seed := range []string{"http://127.0.0.1", "http://2130706433/", "https://a@b/",
		"http://[::ffff:7f00:1]:80/", "http://0x7f.1"} {
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
		if ip := net.ParseIP(u.Hostname()); ip != nil && (ip.IsLoopback() || ip.IsPrivate() ||
			ip.IsLinkLocalUnicast()) {
			t.Errorf("%q passes", url)
		}
	})
}

// The dialer checks addresses itself, whatever was checked before.
func TestDialerJudges(t *testing.T) {
	guarded, open := wiring{}.dialer(), wiring{allowPrivate: true}.dialer()
	for address, public := range map[string]bool{
		"93.184.216.34:80": true, "[2606:4700::1111]:65535": true, "127.0.0.1:80": false, "[::1]:80": false,
		"[::ffff:127.0.0.1]:80": false, "[64:ff9b::7f00:1]:80": false, "[fd00:ec2::254]:80": false,
		"[fe80::1%lo]:80":    false,
		"[2002:7f00:1::]:80": false, "[ff02::1]:80": false, "[::]:80": false, "0.0.0.0:80": false,
		"100.64.0.1:80":      false,
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

// The answer about a name that leads into a private network does not depend on what is there, and
// is that about a name that does not exist, in the same time.
func TestPrivateNamesAreAlike(t *testing.T) {
	s := inner(t)
	missing := &net.DNSError{Err: "no such host", Name: "x.example", IsNotFound: true}
	slow := &net.DNSError{Err: "i/o timeout", Name: "x.example", IsTimeout: true}
	texts := map[string]bool{}
	for url, w := range map[string]wiring{
		"http://open.example:" + portOf(s): {resolver: names(t, []string{"127.0.0.1"})},
		"http://closed.example:1/":         {resolver: names(t, []string{"127.0.0.1"})},
		"http://away.example/":             {resolver: names(t, []string{"10.255.255.1", "192.168.255.1"})},
		"https://tls.example/":             {resolver: names(t, []string{"169.254.169.254"})},
		"http://none.example/":             {resolver: names(t, []string{})},
		"http://missing.example/": {connect: func(context.Context, string, string) (net.Conn, error) {
			return nil, &net.OpError{Op: "dial", Err: missing}
		}},
		"http://slow.example/": {connect: func(context.Context, string, string) (net.Conn, error) {
			return nil, &net.OpError{Op: "dial", Err: slow}
		}},
		"http://refused.example/": {connect: func(context.Context, string, string) (net.Conn, error) {
			return nil, &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
		}},
	} {
		for way, err := range bothWays(t, client(t, w), url) {
			if !errors.Is(err, ErrUnreachable) || errors.Is(err, ErrRefusedAddress) || errors.Is(err, ErrTimeout) {
				t.Errorf("%s %s: %v", way, url, err)
			}
			texts[Message(err)] = true
		}
	}
	if len(texts) != 1 {
		t.Errorf("clients are told %d texts: %v", len(texts), texts)
	}
}

func TestUnreachableTakesItsTime(t *testing.T) {
	for _, lasts := range []time.Duration{0, 10 * time.Millisecond, reachTime - 1, 3 * reachTime} {
		synctest.Test(t, func(t *testing.T) {
			c := newClient(wiring{reachTime: reachTime, connect: func(context.Context, string, string) (net.Conn,
				error) {
				time.Sleep(lasts)
				return nil, errors.New("not reached")
			}})
			defer c.Close()
			d := took(func() {
				if _, err := c.Fetch(t.Context(), "http://a.example", io.Discard, ample); !errors.Is(err,
					ErrUnreachable) {
					t.Error(err)
				}
				if _, _, err := c.Send(t.Context(), "POST", "http://a.example", nil, nil); !errors.Is(err,
					ErrUnreachable) {
					t.Error(err)
				}
			})
			if d != 2*max(lasts, reachTime) {
				t.Errorf("%v to fail took %v", lasts, d)
			}
		})
	}
}

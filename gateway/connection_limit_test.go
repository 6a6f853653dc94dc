package gateway

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"steno/gateway/limits"
	"steno/gateway/web"
	"steno/session/store/embedded/embeddedtest"
)

// dialFrom opens a connection from an address.
func (w *bubble) dialFrom(address string) net.Conn {
	w.t.Helper()
	client, err := w.net.DialFrom(w.t.Context(), net.TCPAddrFromAddrPort(netip.MustParseAddrPort(address)))
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = client.Close() }) // mostly closed already
	return client
}

// request writes a request and reads nothing.
func request(t *testing.T, c net.Conn, text ...string) {
	t.Helper()
	if _, err := io.WriteString(c, strings.Join(text, "\r\n")+"\r\nHost: steno\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
}

// refusedWith reads an answer without a request; zero if the connection is open.
func refusedWith(t *testing.T, c net.Conn) int {
	t.Helper()
	if err := c.SetReadDeadline(time.Now().Add(time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(bufio.NewReader(c), nil)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return 0
	}
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var text bytes.Buffer
	if _, err := text.ReadFrom(answer.Body); err != nil || !strings.Contains(text.String(), `"statusCode":503`) ||
		answer.Header.Get("Retry-After") == "" {
		t.Errorf("%v %v %s", err, answer.Header, &text)
	}
	return answer.StatusCode
}

func (w *bubble) openConnections() int {
	synctest.Wait()
	return w.server.connections.Open()
}

// The number of connections is limited in total and for each address, and closed ones make room.
func TestConnectionsAreBounded(t *testing.T) {
	dir := embeddedtest.Folder(t)
	synctest.Test(t, func(t *testing.T) {
		w := &bubble{t: t, dir: dir, config: Config{
			TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")},
			Limits:         limits.Limits{Connections: 8, PerAddress: 3},
		}}
		w.start()
		defer w.stop()
		var held []net.Conn
		open := func(address string, want int) {
			t.Helper()
			c := w.dialFrom(address)
			if got := refusedWith(t, c); got != want {
				t.Errorf("%s: %d, want %d", address, got, want)
			}
			if want == 0 {
				held = append(held, c)
			}
		}
		for range 3 {
			open("198.51.100.1:1", 0)
		}
		open("198.51.100.1:2", 503)
		open("[2001:db8::1]:1", 0)
		open("[2001:db8::2]:1", 0)
		open("[2001:db8::3]:1", 0)
		open("[2001:db8::4]:1", 503) // of one network
		open("10.0.0.1:1", 0)
		open("127.0.0.1:1", 0)
		open("127.0.0.1:1", 503) // 8 in all
		open("198.51.100.2:1", 503)
		held[0].Close()
		held[3].Close()
		if n := w.openConnections(); n != 6 {
			t.Errorf("%d connections are open", n)
		}
		open("198.51.100.1:3", 0)
		open("127.0.0.1:1", 0)
		metrics := adminGet(t, &testServer{server: w.server}, "/metrics")
		for _, line := range []string{
			`steno_connections_open 8`, `steno_connections_refused_total{reason="address"} 2`,
			`steno_connections_refused_total{reason="all"} 2`,
		} {
			if !strings.Contains(metrics, line) {
				t.Errorf("metrics lack %s", line)
			}
		}
	})
}

// Loopback and trusted proxies are exempt from the limit of one address.
func TestWhoHasManyConnections(t *testing.T) {
	dir := embeddedtest.Folder(t)
	synctest.Test(t, func(t *testing.T) {
		w := &bubble{t: t, dir: dir, config: Config{
			TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}, Limits: limits.Limits{PerAddress: 2},
		}}
		w.start()
		defer w.stop()
		for _, address := range []string{"127.0.0.1:1", "[::1]:1", "10.0.0.1:1", "[::ffff:127.0.0.1]:1"} {
			for range 10 {
				if got := refusedWith(t, w.dialFrom(address)); got != 0 {
					t.Errorf("%s: %d", address, got)
				}
			}
		}
	})
}

// The running requests that a trusted proxy forwards for one address are limited like that
// address's connections.
func TestProxiedRequestsAreBounded(t *testing.T) {
	r := newTestServer(t, func(c *Config) {
		c.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
		c.Limits.PerAddress = 2
	})
	status := func(client string) int {
		return r.serve(ask("GET", "/v2/live", "10.0.0.1:1", "localhost", "X-Forwarded-For", client), "").status
	}
	var leave []func()
	for range 2 {
		left, err := r.server.connections.EnterForwarded(ask("GET", "/v2/live", "10.0.0.1:1", "localhost",
			"X-Forwarded-For", "198.51.100.1"))
		if err != nil {
			t.Fatalf("refused too early: %v", err)
		}
		leave = append(leave, left)
	}
	if got := status("198.51.100.1"); got != http.StatusTooManyRequests {
		t.Errorf("third request: %d", got)
	}
	if got := status("198.51.100.2"); got != http.StatusOK {
		t.Errorf("another address: %d", got)
	}
	leave[0]()
	defer leave[1]()
	for range 3 {
		if got := status("198.51.100.1"); got != http.StatusOK {
			t.Errorf("when one has ended: %d", got)
		}
	}
}

// Clients that do not read their answers are disconnected after a while, however many they are.
func TestClientsThatDoNotRead(t *testing.T) {
	inBubble(t, func(t *testing.T, w *bubble) {
		const clients = 50
		for range clients {
			request(t, w.dialFrom("127.0.0.1:1"), "GET /openapi.json HTTP/1.1")
		}
		time.Sleep(time.Minute - time.Second)
		if n := w.openConnections(); n != clients {
			t.Errorf("%d connections are open before their time is over", n)
		}
		time.Sleep(2 * time.Second)
		if n := w.openConnections(); n != 0 {
			t.Errorf("%d connections are held", n)
		}
		if !strings.Contains(adminGet(t, &testServer{server: w.server}, "/metrics"),
			`steno_dropped_total{reason="answer_stalled"} 50`) {
			t.Error("not counted")
		}
	})
}

// slowReader reads a piece at a time with pauses before them.
type slowReader struct {
	io.Reader
	piece int
	pause time.Duration
	given int
}

func (p *slowReader) Read(buf []byte) (int, error) {
	if p.given == 0 {
		time.Sleep(p.pause)
	}
	n, err := p.Reader.Read(buf[:min(len(buf), p.piece-p.given)])
	p.given = (p.given + n) % p.piece
	return n, err
}

// A client that reads an answer slowly gets all of it if it keeps the minimum throughput, and is
// cut off otherwise.
func TestSlowReaders(t *testing.T) {
	inBubble(t, func(t *testing.T, w *bubble) {
		for _, tc := range []struct {
			piece int
			pause time.Duration
			whole bool
		}{
			{web.MinBytes + web.WriteStep, 50 * time.Second, true}, {web.MinBytes / 4, 10 * time.Second, true},
			{1, time.Second, false},
			{web.MinBytes / 2, 40 * time.Second, false},
		} {
			c := w.dialFrom("198.51.100.1:1")
			request(t, c, "GET /openapi.json HTTP/1.1")
			began := time.Now()
			answer, err := http.ReadResponse(bufio.NewReaderSize(&slowReader{Reader: c, piece: tc.piece,
				pause: tc.pause}, 16), nil)
			var n int64
			if err == nil {
				n, err = io.Copy(io.Discard, answer.Body)
				answer.Body.Close()
			}
			c.Close()
			if whole := err == nil && n == answer.ContentLength; whole != tc.whole {
				t.Errorf("%d bytes each %v: whole %t, %d bytes in %v: %v", tc.piece, tc.pause, whole, n,
					time.Since(began), err)
			}
			if tc.whole && time.Since(began) < 2*time.Minute {
				t.Errorf("%d bytes each %v: no test, it took %v", tc.piece, tc.pause, time.Since(began))
			}
		}
	})
}

// An upload may take any time while it makes progress; one that trickles is soon refused.
func TestSlowUploads(t *testing.T) {
	decoder := newDecoder(t)
	dir := embeddedtest.Folder(t)
	synctest.Test(t, func(t *testing.T) {
		w := &bubble{t: t, dir: dir, change: func(d *Deps) { d.Media = decoder }}
		w.start()
		defer w.stop()
		body, kind := form("audio", string(wavOf(make([]byte, 30*32000), 16000, 1)))
		for _, tc := range []struct {
			piece  int
			pause  time.Duration
			status int
			took   time.Duration // at least
		}{{web.MinBytes + 1, 50 * time.Second, 200, 10 * time.Minute}, {10, time.Second, 408, time.Minute}} {
			began := time.Now()
			slow := &slowReader{Reader: strings.NewReader(body), piece: tc.piece, pause: tc.pause}
			status := w.post("/v2/upload", slow, int64(len(body)), kind, nil)
			if took := time.Since(began); status != tc.status || took < tc.took || status != 200 && took > tc.took+
				10*time.Second {
				t.Errorf("%d bytes each %v: %d after %v", tc.piece, tc.pause, status, took)
			}
			time.Sleep(time.Minute) // until the client has noticed that the server reads no more
		}
	})
}

// A WebSocket has its own limits, not the pace of answers.
func TestWebSocketsHaveNoPace(t *testing.T) {
	inBubble(t, func(t *testing.T, w *bubble) {
		_, url := w.create()
		c := w.call(url)
		for range 10 {
			time.Sleep(50 * time.Second)
			if err := c.text(`{"type":"audio_chunk","data":{"chunk":""}}`); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(c.send(speech(2, 1)), c.stop()); err != nil {
			t.Fatal(err)
		}
		if code := c.end(); code != 1000 {
			t.Errorf("close code %d", code)
		}
	})
}

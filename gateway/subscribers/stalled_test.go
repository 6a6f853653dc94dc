package subscribers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"steno/gateway/internal/pipenet"
	"steno/messages"
	"steno/session/store/embedded"
	"steno/session/store/embedded/embeddedtest"
)

// dialSlow opens a WebSocket whose client has next to no buffer.
func (s *testServer) dialSlow(path string) *webSocket {
	s.t.Helper()
	client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, network,
		address string) (net.Conn, error) {
		conn, err := new(net.Dialer).DialContext(ctx, network, address)
		if err == nil {
			err = conn.(*net.TCPConn).SetReadBuffer(32 << 10)
		}
		return conn, err
	}}}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	conn, _, err := websocket.Dial(ctx, s.http.URL+path, &websocket.DialOptions{HTTPClient: client})
	must(s.t, err)
	conn.SetReadLimit(-1)
	w := &webSocket{conn: conn, ctx: ctx, cancel: cancel}
	s.t.Cleanup(w.close)
	return w
}

// held is how many bytes wait for the slowest subscriber.
func (s *testServer) held() (most int) {
	for _, t := range s.service.list() {
		t.client.mu.Lock()
		most = max(most, t.client.bytes+t.client.writing)
		t.client.mu.Unlock()
	}
	return most
}

// A reader that stands still delays no other and holds no more than its bound. When it continues it
// receives a notice that it was slow, and still gets every logged event once.
func TestStalledReader(t *testing.T) {
	const events, size = 50, 30 << 10
	s := newTestServer(t, func(c *Config) { c.Limits.WriteStall = time.Minute })
	k := s.testSession("a1")
	k.logs(messages.KindStartSession, "", 0)
	stalled := s.dialSlow("/v2/live/a1/events?" + everyFlag)
	if _, err := stalled.next(); err != nil {
		t.Fatal(err)
	}
	quick := s.dial("/v2/live/a1/events?" + everyFlag)
	if _, err := quick.next(); err != nil {
		t.Fatal(err)
	}
	waitUntil(t, "both have joined", func() bool { return s.store.Followed("a1") && s.clients() == 2 })
	most := 0
	for i := range events {
		k.logs(messages.KindFinal, strconv.Itoa(i), size)
		k.emitPartial("partial", strconv.Itoa(i))
		for got := (received{}); !strings.Contains(got.data, `"pad"`); {
			var err error
			if got, err = quick.next(); err != nil {
				t.Fatalf("event %d: %v", i, err)
			}
		}
		most = max(most, s.held())
	}
	if most > queueBytes {
		t.Errorf("%d bytes wait for a subscriber", most)
	}
	k.ends()
	var got []string
	lags := 0
	for {
		one, err := stalled.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case strings.Contains(one.data, `"`+typeLag+`"`):
			lags++
			if want := fmt.Sprintf(`"from":%d,`, len(got)+2); !strings.Contains(one.data, want) {
				t.Errorf("after %d events: %s", len(got)+1, one.data)
			}
		case !strings.Contains(one.data, `"text":`):
			got = append(got, one.data)
		}
	}
	if want := k.bodies(^messages.Filter(0))[1:]; !slices.Equal(got, want) {
		t.Errorf("has %d events, want %d", len(got), len(want))
	}
	if lags == 0 {
		t.Error("it was not told that it lagged")
	}
}

// A reader that takes nothing at all is cut off.
func TestStalledReaderIsCut(t *testing.T) {
	s := newTestServer(t, func(c *Config) { c.Limits.WriteStall = 10 * time.Millisecond })
	k := s.testSession("a1")
	w := s.dialSlow("/v2/live/a1/events")
	for i := range 100 {
		k.logs(messages.KindFinal, strconv.Itoa(i), 100<<10)
	}
	waitUntil(t, "the subscription has ended", func() bool { return len(s.service.list()) == 0 })
	w.close()
	must(t, k.live.Close())
}

// Readers that have stopped for good, over each transport, delay no other: whatever is logged, all
// others have it before any time passes. A connection of the test's network holds nothing, so that
// the first write to such a reader blocks for ever.
func TestStalledReadersDelayNoOther(t *testing.T) {
	const each, events, size = 4, 30, 30 << 10
	dir := embeddedtest.Folder(t)
	synctest.Test(t, func(t *testing.T) {
		st, err := embedded.Open(t.Context(), dir)
		must(t, err)
		s := newNodeOn(t, pipenet.Listen(), st, func(c *Config) { c.Limits.WriteStall = time.Hour })
		k, other := s.testSession("a1"), s.testSession("b2")
		subscribe := []func() listener{
			func() listener { return s.dial("/v2/live/a1/events") },
			func() listener { e, _ := s.open("/v2/live/a1/events"); return e },
			func() listener { e, _ := s.open("/v2/events?session=a1&session=b2"); return e },
			func() listener { e, _ := s.open("/v2/events"); return e },
		}
		var stalled []listener
		arrived := make(chan string, each*len(subscribe)) // subjects of the events that the healthy readers get
		for range each {
			for _, open := range subscribe {
				stalled = append(stalled, open())
				healthy := open()
				go passSubjects(healthy, arrived)
			}
		}
		synctest.Wait()
		k.logs(messages.KindFinal, "first", 0)
		for _, l := range stalled {
			if _, err := l.next(); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		wantSubjects(t, arrived, "first")
		for i := range events {
			subject := strconv.Itoa(i)
			k.logs(messages.KindFinal, subject, size)
			synctest.Wait()
			wantSubjects(t, arrived, subject)
			if held := s.held(); held > queueBytes {
				t.Errorf("%d bytes wait for a subscriber", held)
			}
		}
		if n := s.lagging(); n != len(stalled) {
			t.Errorf("%d subscriptions lag, want the %d that have stalled", n, len(stalled))
		}
		must(t, k.live.Close())
		must(t, other.live.Close())
	})
}

// passSubjects passes on the subjects of a subscription's events until its end.
func passSubjects(l listener, to chan<- string) {
	for {
		got, err := l.next()
		if err != nil {
			return
		}
		_, rest, _ := strings.Cut(got.data, `"subject":"`)
		subject, _, _ := strings.Cut(rest, `"`)
		to <- subject
	}
}

// wantSubjects expects one subject from each healthy reader, and nothing else.
func wantSubjects(t *testing.T, arrived chan string, want string) {
	t.Helper()
	if n := len(arrived); n != cap(arrived) {
		t.Fatalf("event %s: %d of %d readers have it", want, n, cap(arrived))
	}
	for range cap(arrived) {
		if got := <-arrived; got != want {
			t.Errorf("event %s: a reader gets %q", want, got)
		}
	}
}

// lagging is how many subscriptions have left their hubs because they are too slow.
func (s *testServer) lagging() (n int) {
	for _, t := range s.service.list() {
		t.client.mu.Lock()
		if t.client.lagged {
			n++
		}
		t.client.mu.Unlock()
	}
	return n
}

package subscribers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	"steno/gateway/web"
	"steno/messages"
	"steno/session/store"
	"steno/session/store/valkey"
	"steno/session/store/valkeytest"
)

// lossyStore loses a share of the feed's signals.
type lossyStore struct {
	Store
	share float64
	lost  *atomic.Int64
}

func (s lossyStore) Follow(ctx context.Context, t store.Topic, f func(store.Signal)) (func(), error) {
	return s.Store.Follow(ctx, t, func(signal store.Signal) {
		if rand.Float64() < s.share {
			s.lost.Add(1)
			return
		}
		f(signal)
	})
}

// Hundreds of subscribers come at any moment, over both transports, while signals are lost: each gets every event that it
// wants exactly once, in order and byte for byte.
func TestFanOut(t *testing.T) {
	const sessions, subscribers, events = 5, 300, 60
	var lost atomic.Int64
	s := newTestServer(t, func(c *Config) { c.Store = lossyStore{c.Store, 0.01, &lost} })
	var every []*testSession
	for i := range sessions {
		every = append(every, s.testSession("session-"+strconv.Itoa(i)))
	}
	var all sync.WaitGroup
	for i := range subscribers {
		all.Go(func() { s.checkSubscriber(i, every[i%sessions]) })
	}
	for _, k := range every {
		all.Go(func() { k.converses(events) })
	}
	all.Wait()
	t.Logf("%d signals were lost", lost.Load())
}

// checkSubscriber follows a session from some moment on and wants all its events.
func (s *testServer) checkSubscriber(i int, k *testSession) {
	time.Sleep(time.Duration(rand.Int64N(int64(400 * time.Millisecond))))
	path, wants := "/v2/live/"+k.id+"/events?"+everyFlag, ^messages.Filter(0)
	if i%3 == 0 {
		path, wants = "/v2/live/"+k.id+"/events", messages.FilterOf(messages.KindFinal, messages.KindSpeechStart)
	}
	got := s.follow(i%2 == 0, path)
	<-k.ended // a subscriber may have the last event before the one who logs it
	if want := k.bodies(wants); !slices.Equal(got, want) {
		s.t.Errorf("subscriber %d has %d events, want %d", i, len(got), len(want))
	}
}

// converses logs so many utterances and ends the session.
func (k *testSession) converses(utterances int) {
	for n := range utterances {
		subject := strconv.Itoa(n)
		k.logs(messages.KindSpeechStart, subject, 0)
		k.says(subject, "partial")
		time.Sleep(time.Duration(rand.Int64N(int64(10 * time.Millisecond))))
		k.logs(messages.KindFinal, subject, 500)
	}
	k.ends()
}

// Subscribers of another node than the one that a session runs on get the same, partials included, and what a node revokes ends
// on all.
func TestNodes(t *testing.T) {
	const subscribers, events = 60, 40
	server := valkeytest.Start(t)
	blobs := t.TempDir()
	var lost atomic.Int64
	node := func(name string) *testServer {
		st, err := valkey.Open(t.Context(), valkey.Options{Addr: server.Addr(), Node: name, Blobs: blobs, Spool: t.TempDir()})
		must(t, err)
		return newNode(t, st, func(c *Config) { c.Store = lossyStore{c.Store, 0.01, &lost} })
	}
	speaking, listening := node("speaking"), node("listening")
	every := []*testSession{speaking.testSession("a1"), speaking.testSession("b2")}
	w := listening.dial("/v2/live/a1/events?" + everyFlag)
	waitUntil(t, "partials are followed", func() bool {
		every[0].says("u", "heard")
		return speaking.store.Followed("a1")
	})
	waitUntil(t, "a partial arrives", func() bool {
		every[0].says("u", "heard")
		got, err := w.next()
		return err == nil && strings.Contains(got.data, `"heard"`)
	})
	var working sync.WaitGroup
	for i := range subscribers {
		working.Go(func() { []*testServer{speaking, listening}[i/2%2].checkSubscriber(i, every[i%2]) })
	}
	for _, k := range every {
		working.Go(func() { k.converses(events) })
	}
	working.Wait()
	if got, want := speaking.follow(false, "/v2/live/a1/events?"+everyFlag), every[0].bodies(^messages.Filter(0)); !slices.Equal(got, want) {
		t.Errorf("of the finished session there are %d events, want %d", len(got), len(want))
	}
	third := speaking.testSession("c3")
	hash, key := web.KeyHash{1}, web.KeyHash{2}
	must(t, speaking.store.AddToken(t.Context(), store.Token{
		ID: "token", Hash: hash[:], Account: "acme", Key: key[:], Scopes: store.ScopeRead, CreatedAt: time.Now(), ExpiresAt: time.Now().Add(time.Hour),
	}))
	listening.as(func(p *web.Principal) { p.Token, p.Key = hash, key })
	w = listening.dial("/v2/live/c3/events")
	third.logs(messages.KindFinal, "u", 0)
	if _, err := w.next(); err != nil {
		t.Fatal(err)
	}
	must(t, speaking.store.RemoveToken(t.Context(), "acme", "token"))
	if rest := all(t, w); len(rest) > 0 || w.code != 4401 {
		t.Errorf("token revoked on the other node: %q, closed with %d", rest, w.code)
	}
	must(t, third.live.Close())
}

// follow returns the logged messages of a subscription to its end.
func (s *testServer) follow(socket bool, path string) []string {
	var l listener
	if socket {
		w := s.dial(path)
		if w == nil {
			return nil
		}
		l = w
	} else {
		e, _ := s.open(path)
		if e == nil {
			return nil
		}
		l = e
	}
	defer l.close()
	return slices.DeleteFunc(all(s.t, l), func(text string) bool { return strings.Contains(text, `"text":`) })
}

// dialSlow opens a WebSocket whose client has next to no buffer.
func (s *testServer) dialSlow(path string) *webSocket {
	s.t.Helper()
	client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
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

// A reader that stands still delays no other and holds no more than its bound. When it goes on it is told that it was slow, and
// still gets every logged event once.
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
		k.says("partial", strconv.Itoa(i))
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

// clients is how many clients the hubs have.
func (s *testServer) clients() (n int) {
	s.service.mu.Lock()
	defer s.service.mu.Unlock()
	for _, h := range s.service.hubs {
		h.mu.Lock()
		n += len(h.clients)
		h.mu.Unlock()
	}
	return n
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

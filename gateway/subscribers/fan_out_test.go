package subscribers

import (
	"context"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

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

// Hundreds of subscribers come at any moment, over both transports, while signals are lost: each
// gets every event that it wants exactly once, in order and byte for byte.
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
		k.emitPartial(subject, "partial")
		time.Sleep(time.Duration(rand.Int64N(int64(10 * time.Millisecond))))
		k.logs(messages.KindFinal, subject, 500)
	}
	k.ends()
}

// Subscribers of another node than the one that a session runs on get the same, partials included,
// and what a node revokes ends on all.
func TestNodes(t *testing.T) {
	const subscribers, events = 60, 40
	server := valkeytest.Start(t)
	blobs := t.TempDir()
	var lost atomic.Int64
	node := func(name string) *testServer {
		st, err := valkey.Open(t.Context(), valkey.Options{Addr: server.Addr(), Node: name, Blobs: blobs,
			Spool: t.TempDir()})
		must(t, err)
		return newNode(t, st, func(c *Config) { c.Store = lossyStore{c.Store, 0.01, &lost} })
	}
	speaking, listening := node("speaking"), node("listening")
	every := []*testSession{speaking.testSession("a1"), speaking.testSession("b2")}
	w := listening.dial("/v2/live/a1/events?" + everyFlag)
	waitUntil(t, "partials are followed", func() bool {
		every[0].emitPartial("u", "heard")
		return speaking.store.Followed("a1")
	})
	waitUntil(t, "a partial arrives", func() bool {
		every[0].emitPartial("u", "heard")
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
	if got, want := speaking.follow(false, "/v2/live/a1/events?"+everyFlag),
		every[0].bodies(^messages.Filter(0)); !slices.Equal(got, want) {
		t.Errorf("of the finished session there are %d events, want %d", len(got), len(want))
	}
	third := speaking.testSession("c3")
	hash, key := web.KeyHash{1}, web.KeyHash{2}
	must(t, speaking.store.AddToken(t.Context(), store.Token{
		ID: "token", Hash: hash[:], Account: "acme", Key: key[:], Scopes: store.ScopeRead, CreatedAt: time.Now(),
		ExpiresAt: time.Now().Add(time.Hour),
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

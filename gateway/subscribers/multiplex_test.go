package subscribers

import (
	"context"
	"io"
	"log"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"steno/messages"
)

// brokenStore panics where the log of a session is read, as a fault of the program does.
type brokenStore struct {
	Store
	session string
}

func (s brokenStore) Events(ctx context.Context, account, id string, after int64, limit int) ([]messages.Event, error) {
	if id == s.session {
		panic("the test's store is broken")
	}
	return s.Store.Events(ctx, account, id, after, limit)
}

// A fault while one of several sessions is sent ends their connection, and nothing else.
func TestPanicInOneOfSeveral(t *testing.T) {
	s := newTestServer(t, func(c *Config) { c.Store = brokenStore{c.Store, "c3"} })
	s.http.Config.ErrorLog = log.New(io.Discard, "", 0) // of the panic
	a, c := s.testSession("a1"), s.testSession("c3")
	script(a)
	e, status := s.open("/v2/events?session=a1&session=c3")
	if status != http.StatusOK {
		t.Fatal(status)
	}
	for {
		if _, err := e.next(); err != nil {
			break
		}
	}
	waitUntil(t, "the subscriptions have ended", func() bool { return s.service.Count() == 0 })
	a.ends()
	if got := all(t, s.dial("/v2/live/a1/events")); len(got) == 0 {
		t.Error("the session beside has no events")
	}
	must(t, c.live.Close())
}

// ofSession are the messages about a session.
func ofSession(list []string, id string) (own []string) {
	for _, text := range list {
		if strings.Contains(text, `"session_id":"`+id+`"`) {
			own = append(own, text)
		}
	}
	return own
}

// One connection has the events of several sessions, each in its order, until all have ended, and
// continues where it was.
func TestSeveral(t *testing.T) {
	s := newTestServer(t, nil)
	a, other, c := s.testSession("a1"), s.testSession("b2"), s.testSession("c3")
	const path = "/v2/events?session=a1&session=c3&" + everyFlag
	w := s.dial(path)
	for _, k := range []*testSession{a, other, c} {
		script(k)
	}
	e, status := s.open(path)
	if status != http.StatusOK {
		t.Fatal(status)
	}
	var before []string
	var last string
	for range 10 {
		got, err := e.next()
		if err != nil {
			t.Fatal(err)
		}
		before, last = append(before, got.data), got.id
	}
	e.close()
	if last != "1-5.5" {
		t.Errorf("after all events the id is %s", last)
	}
	waitUntil(t, "partials are followed", func() bool {
		return a.emitPartial("u", "heard") && c.emitPartial("u", "heard")
	})
	again, _ := s.open(path, "Last-Event-ID", "1-4.5")
	a.ends()
	if got, err := again.next(); err != nil || got.data != a.bodies(^messages.Filter(0))[4] || got.id != "1-5.5" {
		t.Errorf("again: %v, %v", got, err)
	}
	c.logs(messages.KindFinal, "later", 0)
	c.ends()
	partials := func(text string) bool { return strings.Contains(text, `"text":`) } // how many come is a matter of time
	rest := slices.DeleteFunc(all(t, again), partials)
	if want := a.bodies(^messages.Filter(0))[5:]; !slices.Equal(ofSession(rest, "a1"), want) {
		t.Errorf("rest of a1: %q, want %q", rest, want)
	}
	if want := c.bodies(^messages.Filter(0))[5:]; !slices.Equal(ofSession(rest, "c3"), want) {
		t.Errorf("rest of c3: %q, want %q", rest, want)
	}
	whole := slices.DeleteFunc(all(t, w), partials)
	for _, k := range []*testSession{a, c} {
		if want := k.bodies(^messages.Filter(0)); !slices.Equal(ofSession(whole, k.id), want) ||
			!slices.Equal(ofSession(before, k.id), want[:5]) {
			t.Errorf("%s: %q, want %q", k.id, whole, want)
		}
	}
	if len(whole) != 6+7 || w.code != websocket.StatusNormalClosure {
		t.Errorf("WebSocket has %d messages, closed with %d", len(whole), w.code)
	}
	if _, status := s.open(path, "Last-Event-ID", "1-6.7"); status != http.StatusNoContent {
		t.Errorf("after the end: %d", status)
	}
	if e, _ := s.open(path, "Last-Event-ID", "9-6.7"); func() bool {
		got, _ := e.next()
		return got.event !=
			typeResync
	}() {
		t.Error("an id of another history is taken up")
	}
	must(t, other.live.Close())
}

// A hub does not push more to a client that joins than may wait for it, nor a part of that: the
// client reads it in the log.
func TestJoinWithLittleRoom(t *testing.T) {
	s := newTestServer(t, nil)
	h := newHub(s.service, &sessionSource{id: "a1"})
	first := &client{wants: ^messages.Filter(0), room: queueBytes, metrics: s.metrics, wake: make(chan struct{}, 1)}
	if !h.join(first, 0, true) {
		t.Fatal("the first client does not join")
	}
	var p page
	p.room = queueBytes
	for i := range int64(5) {
		p.add(newPublication(1, i+1, "a1", messages.Event{Seq: i + 1, Key: messages.Key{Kind: messages.KindFinal},
			Body: make([]byte, 500)}))
	}
	h.publish(p)
	for after, want := range map[int64]bool{0: false, 2: false, 3: true, 4: true, 5: true} {
		c := &client{wants: ^messages.Filter(0), room: 1000, metrics: s.metrics, wake: make(chan struct{}, 1)}
		joins := h.join(c, after, false)
		if n := len(c.take(nil).publications); joins != want || joins && n != int(5-after) || !joins && n != 0 {
			t.Errorf("after %d: joins %t, with %d publications", after, joins, n)
		}
	}
}

// Each of several sessions counts and ends for itself; all end with the key.
func TestSeveralEndings(t *testing.T) {
	s := newTestServer(t, nil)
	a, c := s.testSession("a1"), s.testSession("c3")
	for path, want := range map[string]int{
		"/v2/events?session=a1&session=none":      http.StatusNotFound,
		"/v2/events?session=a1&session=c3&from=7": http.StatusBadRequest,
		"/v2/events?session=a1&from=1-2.3":        http.StatusBadRequest,
	} {
		if _, status := s.open(path); status != want {
			t.Errorf("%s: %d, want %d", path, status, want)
		}
	}
	s.service.cfg.Limits.Subscribers = 3
	e, _ := s.open("/v2/events?session=a1&session=c3")
	if _, status := s.open("/v2/events?session=a1&session=c3"); status != http.StatusTooManyRequests {
		t.Errorf("four subscriptions of three: %d", status)
	}
	must(t, s.store.Cancel(t.Context(), "acme", "a1"))
	c.logs(messages.KindFinal, "u", 0)
	if got, err := e.next(); err != nil || got.data != c.bodies(^messages.Filter(0))[0] {
		t.Errorf("%v, %v", got, err)
	}
	s.service.Halt()
	if rest := all(t, e); len(rest) > 0 {
		t.Errorf("the rest is %q", rest)
	}
	_ = a.live.Close() // its record is gone
	must(t, c.live.Close())
}

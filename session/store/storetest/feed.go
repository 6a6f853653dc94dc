package storetest

import (
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"steno/messages"
	"steno/session/store"
)

// logEvent logs an event of a kind about a subject, and waits until it is durable.
func logEvent(t *testing.T, l store.Live, k messages.Kind, subject string) {
	t.Helper()
	seq, _, err := l.AppendEvent(t.Context(), messages.Event{
		Key: messages.Key{Kind: k, Subject: subject}, Body: []byte(`{"about":"` + subject + `"}`),
	}, -1, nil)
	must(t, err)
	flush(t, l, seq)
}

// accountEvents are the events of an account's log as "session kind subject".
func accountEvents(t *testing.T, s store.Store, account string, after int64, limit int) (list []string, last int64) {
	t.Helper()
	events, whole, err := s.AccountEvents(t.Context(), account, after, limit)
	must(t, err)
	same(t, "whether the log is whole", whole, true)
	for _, e := range events {
		if e.N <= after {
			t.Fatalf("event %d comes after %d", e.N, after)
		}
		after = e.N
	}
	return accountEventNames(t, events), after
}

func accountEventNames(t *testing.T, events []store.AccountEvent) (list []string) {
	t.Helper()
	for _, e := range events {
		list = append(list, fmt.Sprint(e.Session, " ", e.Kind, " ", e.Subject))
		if e.N == 0 || e.Seq == 0 || len(e.Body) == 0 {
			t.Fatalf("event %d is not whole: %+v", e.N, e)
		}
	}
	return list
}

func accountLog(t *testing.T, s store.Store) {
	ctx := t.Context()
	end, err := s.AccountEnd(ctx, "acme")
	must(t, err)
	same(t, "end of an empty log", end, 0)
	a, b := claim(t, s, "a1"), claim(t, s, "b1")
	foreign := newRecord("z1")
	foreign.Account = "zeta"
	create(t, s, foreign)
	z, err := s.Claim(ctx, "z1", store.IfFree)
	must(t, err)
	logEvent(t, a, messages.KindStartSession, "")
	logEvent(t, b, messages.KindStartSession, "")
	logEvent(t, a, messages.KindSpeechStart, "00_00000000")
	logEvent(t, z, messages.KindFinal, "00_00000000")
	logEvent(t, a, messages.KindFinal, "00_00000000")
	logEvent(t, a, messages.KindFinal, "00_00000000") // known: changes nothing
	logEvent(t, b, messages.KindFinal, "00_00000001")
	logEvent(t, a, messages.KindEndSession, "")

	all, last := accountEvents(t, s, "acme", 0, 100)
	want := "[a1 start_session  b1 start_session  a1 transcript 00_00000000 b1 transcript 00_00000001 a1 end_session ]"
	same(t, "log", fmt.Sprint(all), want)
	end, err = s.AccountEnd(ctx, "acme")
	must(t, err)
	same(t, "end of the log", end, last)
	page, at := accountEvents(t, s, "acme", 0, 2)
	rest, _ := accountEvents(t, s, "acme", at, 100)
	same(t, "log in pages", fmt.Sprint(append(page, rest...)), want)
	tail := func(limit int) string {
		t.Helper()
		list, err := s.AccountTail(ctx, "acme", limit)
		must(t, err)
		return fmt.Sprint(accountEventNames(t, list))
	}
	same(t, "last events", tail(3), "[a1 transcript 00_00000000 b1 transcript 00_00000001 a1 end_session ]")
	same(t, "last events of few", tail(100), want)
	same(t, "no last events", tail(0), "[]")
	none, _ := accountEvents(t, s, "acme", last, 100)
	same(t, "events after the end", len(none), 0)

	must(t, a.Finish(ctx, store.Outcome{}))
	must(t, a.Close())
	must(t, s.Delete(ctx, "acme", "a1"))
	left, _ := accountEvents(t, s, "acme", 0, 100)
	same(t, "log without what was deleted", fmt.Sprint(left), "[b1 start_session  b1 transcript 00_00000001]")
	same(t, "last events without what was deleted", tail(2), "[b1 start_session  b1 transcript 00_00000001]")
	logEvent(t, b, messages.KindEndSession, "")
	next, _ := accountEvents(t, s, "acme", last, 100)
	same(t, "numbers are not given twice", fmt.Sprint(next), "[b1 end_session ]")
	must(t, b.Close())
	must(t, z.Close())
	first, err := s.Epoch(ctx)
	must(t, err)
	second, err := s.Epoch(ctx)
	must(t, err)
	same(t, "epoch", second, first)
}

// waitUntil waits for something that a feed brings about.
func waitUntil(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain: %s", what)
		}
	}
}

// feed has signals arrive where nothing fails. An implementation whose feed is remote may take a
// while.
func feed(t *testing.T, s store.Store) {
	ctx := t.Context()
	var logged, account, other, unlogged atomic.Int64
	var got atomic.Value
	follow := func(kind store.TopicKind, name string, f func(store.Signal)) func() {
		stop, err := s.Follow(ctx, store.Topic{Kind: kind, Name: name}, f)
		must(t, err)
		return stop
	}
	count := func(n *atomic.Int64) func(store.Signal) { return func(store.Signal) { n.Add(1) } }
	a, b := claim(t, s, "a1"), claim(t, s, "b1")
	stops := []func(){
		follow(store.SessionLog, "a1", count(&logged)), follow(store.AccountEvents, "acme", count(&account)),
		follow(store.AccountEvents, "zeta", count(&other)),
	}
	same(t, "whether partials are followed", s.Followed("a1"), false)
	s.Publish("a1", 0, messages.Event{Key: messages.Key{Kind: messages.KindPartial, Subject: "u"}, Body: []byte("{}")})
	stopUnlogged := follow(store.SessionUnlogged, "a1", func(g store.Signal) { got.Store(g); unlogged.Add(1) })
	waitUntil(t, "partials are followed", func() bool { return s.Followed("a1") })
	same(t, "whether the other's are", s.Followed("b1"), false)

	logEvent(t, a, messages.KindSpeechStart, "u")
	waitUntil(t, "signal of the session", func() bool { return logged.Load() >= 1 })
	same(t, "signals of the account", account.Load(), 0)
	logEvent(t, b, messages.KindFinal, "u")
	waitUntil(t, "signal of the account", func() bool { return account.Load() >= 1 })
	partial := messages.Event{Key: messages.Key{Kind: messages.KindPartial, Subject: "u"},
		Body: []byte(`{"text":"hi"}`)}
	waitUntil(t, "partial", func() bool {
		s.Publish("a1", 1, partial)
		signal, _ := got.Load().(store.Signal)
		return signal.After == 1
	})
	signal := got.Load().(store.Signal)
	same(t, "place of the partial", signal.After, 1)
	same(t, "key of the partial", signal.Event.Key, partial.Key)
	same(t, "body of the partial", string(signal.Event.Body), string(partial.Body))

	stopUnlogged()
	before := unlogged.Load()
	waitUntil(t, "partials are not followed", func() bool { return !s.Followed("a1") })
	s.Publish("a1", 1, partial)
	for _, stop := range stops {
		stop()
		stop() // changes nothing
	}
	seen := logged.Load()
	logEvent(t, a, messages.KindFinal, "u")
	same(t, "signals after stop", logged.Load(), seen)
	same(t, "partials after stop", unlogged.Load(), before)
	same(t, "signals of another account", other.Load(), 0)
	must(t, a.Close())
	must(t, b.Close())
}

// feedRace follows and stops while events are logged: each follower that stays learns of the last
// event.
func feedRace(t *testing.T, s store.Store) {
	const followers, events = 16, 50
	l := claim(t, s, "a1")
	var all sync.WaitGroup
	for i := range followers {
		all.Go(func() {
			var mu sync.Mutex
			var inside, n int
			topic := store.Topic{Kind: store.SessionLog, Name: "a1"}
			for range 20 {
				stop, err := s.Follow(t.Context(), topic, func(store.Signal) {
					if !mu.TryLock() {
						t.Error("called twice at a time")
						return
					}
					defer mu.Unlock()
					inside++
				})
				if err != nil {
					t.Error(err)
					return
				}
				stop()
				mu.Lock()
				n = inside
				mu.Unlock()
				if i%2 == 0 {
					time.Sleep(time.Microsecond)
				}
				mu.Lock()
				if inside != n {
					t.Error("called after stop")
				}
				mu.Unlock()
			}
		})
	}
	for i := range events {
		logEvent(t, l, messages.KindFinal, strconv.Itoa(i))
	}
	all.Wait()
	must(t, l.Close())
}

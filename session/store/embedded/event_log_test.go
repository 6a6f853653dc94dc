package embedded

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"steno/messages"
	"steno/session/store"
)

// TestEventsTogether logs events of several sessions in one transaction, one of which is deleted,
// and one that is known.
func TestEventsTogether(t *testing.T) {
	s := openIn(t, t.TempDir())
	a, b := claimNew(t, s, "job-a").(*live), claimNew(t, s, "job-b").(*live)
	event := func(subject string) messages.Event {
		return messages.Event{Key: messages.Key{Kind: messages.KindFinal, Subject: subject}, Body: []byte(subject)}
	}
	if _, _, err := a.AppendEvent(t.Context(), event("known"), -1, nil); err != nil {
		t.Fatal(err)
	}
	const gone = 1 << 40 // no record has this number
	batch := []*entry{
		{record: a.n, event: event("one"), lane: -1},
		{record: gone, event: event("lost"), lane: 0},
		{record: b.n, event: event("one"), lane: 2, checkpoint: []byte("state")},
		{record: a.n, event: event("known"), lane: -1},
		{record: a.n, event: event("two"), lane: -1},
	}
	s.sessions.log.log(t.Context(), batch)
	var got []string
	for _, e := range batch {
		got = append(got, fmt.Sprint(e.seq, e.fresh, errors.Is(e.err, store.ErrNotFound)))
	}
	if got, want := fmt.Sprint(got), "[2 true false 0 false true 1 true false 1 false false 3 true false]"; got !=
		want {
		t.Errorf("got %s, want %s", got, want)
	}
	if lanes, err := b.Checkpoints(t.Context()); err != nil || string(lanes[2]) != "state" {
		t.Errorf("checkpoints %v, %v", lanes, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// TestEventsOfManySessions appends from many goroutines at a time: each session's events are
// numbered in its order.
func TestEventsOfManySessions(t *testing.T) {
	s := openIn(t, t.TempDir())
	var speakers sync.WaitGroup
	for i := range 20 {
		l := claimNew(t, s, fmt.Sprint("job-", i))
		speakers.Go(func() {
			for k := range 50 {
				e := messages.Event{Key: messages.Key{Kind: messages.KindFinal, Subject: fmt.Sprint(k)}}
				if seq, fresh, err := l.AppendEvent(t.Context(), e, k%3-1, nil); seq != int64(k+1) || !fresh ||
					err != nil {
					t.Errorf("event %d: number %d, fresh %t, %v", k, seq, fresh, err)
				}
			}
		})
	}
	speakers.Wait()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

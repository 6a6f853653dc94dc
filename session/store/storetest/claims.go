package storetest

import (
	"errors"
	"strings"
	"testing"
	"time"

	"steno/messages"
	"steno/session"
	"steno/session/store"
)

// flush waits until everything that a handle has accepted is durable.
func flush(t *testing.T, l store.Live, seq int64) {
	t.Helper()
	size := l.AudioSize()
	must(t, l.Sync(size))
	awaitDurable(t, l, session.Progress{Seq: seq, Boundary: size})
}

// awaitDurable waits until so much of what a handle has accepted is durable.
func awaitDurable(t *testing.T, l store.Live, want session.Progress) {
	t.Helper()
	grown := make(chan struct{}, 1)
	l.Notify(func() {
		select {
		case grown <- struct{}{}:
		default:
		}
	})
	defer l.Notify(nil)
	late := time.After(30 * time.Second)
	for {
		if p := l.Durable(); p.Seq >= want.Seq && p.Boundary >= want.Boundary {
			return
		}
		select {
		case <-grown:
		case <-late:
			t.Fatalf("durable are %+v, want %+v", l.Durable(), want)
		}
	}
}

// isLost reports whether the claim of a handle has ended.
func isLost(l store.Live) bool {
	select {
	case <-l.Lost():
		return true
	default:
		return false
	}
}

// awaitLost waits until the claim of a handle has ended.
func awaitLost(t *testing.T, l store.Live, cause error) {
	t.Helper()
	select {
	case <-l.Lost():
	case <-time.After(10 * time.Second):
		t.Fatal("the claim has not ended")
	}
	wants(t, l.Cause(), cause)
}

func claims(t *testing.T, s store.Store) {
	ctx := t.Context()
	for _, intent := range []store.Intent{store.IfFree, store.TakeOver} {
		_, err := s.Claim(ctx, "none", intent)
		wants(t, err, store.ErrNotFound)
	}
	l := claim(t, s, "job")
	_, err := s.Claim(ctx, "job", store.IfFree)
	wants(t, err, store.ErrClaimed)
	must(t, l.AppendAudio(ctx, []byte("abc")))
	next := reclaim(t, s, l, "job")
	must(t, l.Close()) // the former handle's second Close leaves the new claim alone
	_, err = s.Claim(ctx, "job", store.IfFree)
	wants(t, err, store.ErrClaimed)
	same(t, "audio size", next.AudioSize(), 3)
	refuses(t, l, store.ErrLost)
	same(t, "whether the closed handle was lost", isLost(l), false)
	must(t, l.Cause())
	must(t, next.Close())
}

// refuses fails unless a handle answers everything with an error.
func refuses(t *testing.T, l store.Live, want error) {
	t.Helper()
	ctx := t.Context()
	wants(t, l.AppendAudio(ctx, []byte("d")), want)
	_, _, err := l.AppendEvent(ctx, messages.Event{Key: messages.Key{Kind: messages.KindFinal, Subject: "refused"}},
		-1, nil)
	wants(t, err, want)
	wants(t, l.SetStopped(ctx), want)
	wants(t, l.Sync(1), want)
	wants(t, l.Confirm(ctx, 1, 1), want)
	wants(t, l.MarkSilence(ctx, 1), want)
	wants(t, l.Finish(ctx, store.Outcome{}), want)
	_, err = l.ReadAudioAt(ctx, make([]byte, 1), 0)
	wants(t, err, want)
	_, err = l.Events(ctx, 0, 1)
	wants(t, err, want)
}

func takeOver(t *testing.T, s store.Store) {
	ctx := t.Context()
	l := claim(t, s, "job")
	must(t, l.AppendAudio(ctx, []byte("abc")))
	flush(t, l, appendEvent(t, l, "a", "{}"))
	same(t, "lost", isLost(l), false)
	must(t, l.Cause())
	next, err := s.Claim(ctx, "job", store.TakeOver)
	must(t, err)
	awaitLost(t, l, store.ErrTaken)
	refuses(t, l, store.ErrTaken)
	same(t, "audio size", next.AudioSize(), 3)
	must(t, next.AppendAudio(ctx, []byte("d")))
	same(t, "number", appendEvent(t, next, "b", "{}"), 2)
	must(t, l.Close()) // leaves the new claim alone
	wants(t, l.Cause(), store.ErrTaken)
	_, err = s.Claim(ctx, "job", store.IfFree)
	wants(t, err, store.ErrClaimed)
	same(t, "lost", isLost(next), false)
	next = reclaim(t, s, next, "job")
	same(t, "audio size", next.AudioSize(), 4)
	must(t, next.Close())
	free, err := s.Claim(ctx, "job", store.TakeOver)
	must(t, err)
	must(t, free.Close())
}

// takeFrom wants a claim to be taken from the holder that is named alone.
func takeFrom(t *testing.T, s store.Store) {
	ctx := t.Context()
	first := claim(t, s, "job")
	holder := holderOf(t, s)
	same(t, "the holder, asked again", holderOf(t, s), holder)
	second, err := s.Claim(ctx, "job", store.TakeFrom(holder))
	must(t, err)
	awaitLost(t, first, store.ErrTaken)
	_, err = s.Claim(ctx, "job", store.TakeFrom(holder))
	wants(t, err, store.ErrClaimed)
	same(t, "lost", isLost(second), false)
	if holderOf(t, s) == holder {
		t.Errorf("two claims are named %s", holder)
	}
	must(t, second.Close())
	third, err := s.Claim(ctx, "job", store.TakeFrom(holder)) // it is free
	must(t, err)
	must(t, third.Close())
	must(t, first.Close())
}

// holderOf returns the name of the claim on the session, which must be claimed.
func holderOf(t *testing.T, s store.Store) string {
	t.Helper()
	_, err := s.Claim(t.Context(), "job", store.IfFree)
	var claimed store.ClaimedError
	if !errors.As(err, &claimed) || claimed.Holder == "" {
		t.Fatalf("no holder in %v", err)
	}
	return claimed.Holder
}

func durability(t *testing.T, s store.Store) {
	ctx := t.Context()
	l := claim(t, s, "job")
	same(t, "progress", l.Durable(), session.Progress{})
	wants(t, l.Sync(-1), store.ErrInvalid)
	same(t, "whether it takes audio", l.Full() == nil, true)
	must(t, l.AppendAudio(ctx, make([]byte, 6400)))
	must(t, l.Sync(3200))
	must(t, l.Sync(6400))
	appendEvent(t, l, "a", "{}")
	flush(t, l, appendEvent(t, l, "b", "{}"))
	same(t, "progress", l.Durable(), session.Progress{Seq: 2, Boundary: 6400})
	sameMarks(t, l, store.Marks{Sent: []int64{3200, 6400}})
	must(t, l.Sync(3200))
	flush(t, l, 2)
	same(t, "progress", l.Durable(), session.Progress{Seq: 2, Boundary: 6400})
	l = reclaim(t, s, l, "job")
	same(t, "progress of a new handle", l.Durable(), session.Progress{Seq: 2})
	sameMarks(t, l, store.Marks{Sent: []int64{3200, 6400}})
	must(t, l.Close())
}

func lostByDeletion(t *testing.T, s store.Store) {
	ctx := t.Context()
	l := claim(t, s, "job")
	must(t, s.Cancel(ctx, "acme", "job"))
	awaitLost(t, l, store.ErrNotFound)
	refuses(t, l, store.ErrNotFound)
	must(t, l.Close())
	refuses(t, l, store.ErrLost)
	wants(t, l.Cause(), store.ErrNotFound)
}

func nodeReports(t *testing.T, s timed) {
	ctx := t.Context()
	report := func(node string, counts map[string]int64) map[string]int64 {
		t.Helper()
		others, err := s.Report(ctx, node, counts, 10*time.Second)
		must(t, err)
		return others
	}
	same(t, "others of the only node", len(report("a", map[string]int64{"sessions": 3, "none": 0})), 0)
	same(t, "what a has", report("b", map[string]int64{"sessions": 4})["sessions"], 3)
	others := report("c", nil)
	same(t, "what a and b have", others["sessions"], 7)
	same(t, "number of their counts", len(others), 1)
	report("b", map[string]int64{"sessions": 1, "other": 2})
	others = report("a", map[string]int64{"sessions": 2})
	same(t, "what b and c have", others["sessions"], 1)
	same(t, "what else", others["other"], 2)
	s.advance(6 * time.Second)
	report("c", nil)
	peers, err := s.Peers(ctx)
	must(t, err)
	same(t, "number of nodes", len(peers), 3)
	same(t, "the last", peers[2].Name, "c")
	s.advance(6 * time.Second)
	same(t, "what is left", len(report("c", nil)), 0)
	peers, err = s.Peers(ctx)
	must(t, err)
	same(t, "number of nodes", len(peers), 1)
	_, err = s.Report(ctx, "", nil, time.Second)
	wants(t, err, store.ErrInvalid)
	_, err = s.Report(ctx, "a", nil, 0)
	wants(t, err, store.ErrInvalid)
}

// adoption goes by the record's deadline, and by what its last handle has said.
func adoption(t *testing.T, s timed) {
	ctx := t.Context()
	due := func(want string) {
		t.Helper()
		list, err := s.Adopt(ctx, 10)
		must(t, err)
		same(t, "due", strings.Join(ids(list), " "), want)
	}
	s.advance(time.Hour)
	for i, id := range []string{"first", "second", "third", "held", "finished"} {
		r := newRecord(id)
		r.Deadline = s.now().Add(time.Duration(i+1) * time.Minute)
		create(t, s, r)
	}
	file := newRecord("file")
	file.Kind, file.Deadline = messages.JobPreRecorded, s.now()
	create(t, s, file, newRecord("without")) // whose deadline is a resume window from now
	due("")
	finish(t, s, "finished", 0)
	held, err := s.Claim(ctx, "held", store.IfFree)
	must(t, err)
	s.advance(time.Minute)
	due("without first")
	s.advance(time.Hour)
	due("without first second third")
	list, err := s.Adopt(ctx, 2)
	must(t, err)
	same(t, "the first two due", strings.Join(ids(list), " "), "without first")
	same(t, "account", list[0].Account, "acme")

	first, err := s.Claim(ctx, "first", store.IfFree)
	must(t, err)
	second, err := s.Claim(ctx, "second", store.IfFree)
	must(t, err)
	due("without third")
	must(t, errors.Join(first.Close(), second.Release(0), held.Release(time.Hour)))
	must(t, held.Release(0)) // too late
	due("without third second")
	s.advance(store.ResumeWindow)
	due("without third second first")
	s.advance(time.Hour)
	due("without third second first held")
	must(t, s.Cancel(ctx, "acme", "without"))
	third, err := s.Claim(ctx, "third", store.IfFree)
	must(t, err)
	again, err := s.Claim(ctx, "third", store.TakeOver)
	must(t, err)
	must(t, third.Close()) // does not affect the session
	due("second first held")
	must(t, again.Finish(ctx, store.Outcome{}))
	must(t, again.Release(0))
	due("second first held")
}

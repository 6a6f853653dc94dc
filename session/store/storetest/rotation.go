package storetest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"steno/messages"
	"steno/session/store"
)

// newJobOf is a job of an account.
func newJobOf(account, id string, after time.Duration) store.Record {
	r := newJob(id, after)
	r.Account = account
	return r
}

// queueFetched wants a job to be taken twice: for its audio, then with it.
func queueFetched(t *testing.T, s timed) {
	ctx := t.Context()
	upload(t, s, "given", "audio")
	upload(t, s, "fetched", "audio")
	with := newJob("with", time.Second)
	with.Upload = "given"
	create(t, s, newJob("without", 0), with)
	taken := func(w store.Want, want string) store.Lease {
		t.Helper()
		l, ok, err := s.LeaseJob(ctx, "node", time.Minute, w)
		must(t, err)
		same(t, "whether one was taken", ok, want != "")
		same(t, "job taken", l.Record.ID, want)
		return l
	}
	taken(store.Want{}, "with")
	taken(store.Want{}, "")
	first := taken(toFetch, "without")
	s.advance(time.Minute)
	second := taken(toFetch, "without")
	wants(t, s.FetchedJob(ctx, first, "fetched"), store.ErrLost)
	must(t, s.FetchedJob(ctx, second, "fetched"))
	wants(t, s.FetchedJob(ctx, second, "fetched"), store.ErrLost)
	wants(t, s.FinishJob(ctx, second, store.Outcome{}), store.ErrLost)
	same(t, "upload", wantStatus(t, s, "without", messages.StatusProcessing).Upload, "fetched")
	taken(toFetch, "")
	third := taken(store.Want{}, "without") // the older one
	same(t, "attempt", third.Attempt, 1)
	same(t, "upload in the lease", third.Record.Upload, "fetched")
	must(t, s.GiveBackJob(ctx, third))
	wantStatus(t, s, "without", messages.StatusQueued)
	must(t, s.FinishJob(ctx, taken(store.Want{}, "without"), store.Outcome{}))
	must(t, s.Delete(ctx, "acme", "without"))
	_, err := s.Upload(ctx, "acme", "fetched")
	wants(t, err, store.ErrNotFound)
}

// queueTurns wants accounts to take turns, however many jobs one has and however old they are.
func queueTurns(t *testing.T, s timed) {
	for i := range 6 {
		create(t, s, newJobOf("acme", fmt.Sprint("a", i), time.Duration(i)*time.Second))
	}
	for i := range 2 {
		create(t, s, newJobOf("bert", fmt.Sprint("b", i), time.Hour+time.Duration(i)*time.Second))
	}
	create(t, s, newJobOf("zeta", "z0", 2*time.Hour))
	finish := func(l store.Lease) { must(t, s.FinishJob(t.Context(), l, store.Outcome{})) }
	finish(take(t, s, "a0")) // one worker alone
	finish(take(t, s, "b0"))
	finish(take(t, s, "z0"))
	take(t, s, "a1") // stays under its lease
	create(t, s, newJobOf("zeta", "z1", 3*time.Hour))
	finish(take(t, s, "b1"))
	finish(take(t, s, "z1"))
	create(t, s, newJobOf("zeta", "z2", 4*time.Hour), newJobOf("zeta", "z3", 5*time.Hour))
	finish(take(t, s, "z2")) // acme has one under a lease, zeta none
	finish(take(t, s, "z3"))
	take(t, s, "a2")
	take(t, s, "a3")
}

// queueCap wants no more jobs of an account to be under a lease than it may have, and who waits to
// hear when that changes.
func queueCap(t *testing.T, s timed) {
	ctx := t.Context()
	two := store.Want{Fetch: true, PerAccount: 2}
	var leases []store.Lease
	for i := range 4 {
		create(t, s, newJobOf("acme", fmt.Sprint("a", i), time.Duration(i)*time.Second))
	}
	more := func() bool {
		t.Helper()
		l, ok, err := s.LeaseJob(ctx, "node", time.Minute, two)
		must(t, err)
		if ok {
			leases = append(leases, l)
		}
		return ok
	}
	same(t, "first", more(), true)
	same(t, "second", more(), true)
	same(t, "third", more(), false)
	waiting, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	wait := func() { go func() { ended <- s.WaitJob(waiting, two) }() }
	wait()
	must(t, s.FinishJob(ctx, leases[0], store.Outcome{}))
	must(t, <-ended)
	same(t, "one in its place", more(), true)
	wait()
	must(t, s.Cancel(ctx, "acme", leases[1].Record.ID))
	must(t, <-ended)
	same(t, "one in the place of a cancelled one", more(), true)
	create(t, s, newJobOf("acme", "a4", time.Minute))
	same(t, "one too many", more(), false)
	create(t, s, newJobOf("zeta", "z0", time.Hour))
	same(t, "another account's", more(), true)
	s.advance(time.Minute)
	must(t, s.WaitJob(ctx, two)) // leases have ended
	same(t, "one whose lease was over", more(), true)
	same(t, "its attempt", leases[len(leases)-1].Attempt, 2)
	wait()
	cancel()
	<-ended
}

package storetest

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"steno/messages"
	"steno/session/store"
)

// newJob is a pre-recorded record of account "acme" that came in so long after the epoch.
func newJob(id string, after time.Duration) store.Record {
	r := newRecord(id)
	r.Kind, r.CreatedAt = messages.JobPreRecorded, epoch.Add(after)
	return r
}

// toFetch is for the jobs of newJob, which refer to no upload.
var toFetch = store.Want{Fetch: true}

// take leases a job of either kind for a minute and wants it to be that one; "" for none.
func take(t *testing.T, s store.Store, want string) store.Lease {
	t.Helper()
	l, ok, err := s.LeaseJob(t.Context(), "node", time.Minute, store.Want{})
	must(t, err)
	if !ok {
		l, ok, err = s.LeaseJob(t.Context(), "node", time.Minute, toFetch)
		must(t, err)
	}
	same(t, "job taken", l.Record.ID, want)
	same(t, "whether one was taken", ok, want != "")
	return l
}

func wantStatus(t *testing.T, s store.Store, id string, want messages.Status) store.Record {
	t.Helper()
	r, err := s.Get(t.Context(), "acme", id)
	must(t, err)
	same(t, "status of "+id, r.Status, want)
	return r
}

func queueOrder(t *testing.T, s timed) {
	ctx := t.Context()
	take(t, s, "")
	other := newJob("other", 2*time.Second)
	other.Account = "zeta"
	ended := newJob("ended", 0)
	ended.Status = messages.StatusDone
	create(t, s, newJob("third", 3*time.Second), newJob("first", time.Second), other, newRecord("live"), ended)
	l := take(t, s, "first")
	same(t, "status in the lease", l.Record.Status, messages.StatusProcessing)
	same(t, "parameters in the lease", string(l.Record.Params), `{"encoding":"wav/pcm"}`)
	same(t, "attempt", l.Attempt, 1)
	same(t, "end of the lease", l.Until, s.now().Add(time.Minute))
	same(t, "exhausted", l.Exhausted(), false)
	wantStatus(t, s, "first", messages.StatusProcessing)
	wantStatus(t, s, "third", messages.StatusQueued)
	take(t, s, "other")
	take(t, s, "third")
	take(t, s, "")
	for _, bad := range []struct {
		node string
		ttl  time.Duration
	}{{"", time.Minute}, {"node", 0}, {"node", -time.Minute}} {
		_, _, err := s.LeaseJob(ctx, bad.node, bad.ttl, toFetch)
		wants(t, err, store.ErrInvalid)
	}
	wants(t, s.SetStatus(ctx, "acme", "first", messages.StatusQueued), store.ErrInvalid)
	handle, err := s.Claim(ctx, "first", store.IfFree)
	must(t, err)
	wants(t, handle.Finish(ctx, store.Outcome{}), store.ErrInvalid)
	must(t, handle.Close())
}

func queueExpiry(t *testing.T, s timed) {
	create(t, s, newJob("job", 0))
	take(t, s, "job")
	s.advance(time.Minute - time.Millisecond)
	take(t, s, "")
	s.advance(time.Millisecond)
	create(t, s, newJob("younger", time.Hour))
	second := take(t, s, "job")
	same(t, "attempt", second.Attempt, 2)
	same(t, "exhausted", second.Exhausted(), false)
	s.advance(time.Minute)
	for range 2 { // whoever is to end it may die too
		last := take(t, s, "job")
		same(t, "exhausted", last.Exhausted(), true)
		s.advance(time.Minute)
	}
	last := take(t, s, "job")
	must(t, s.FinishJob(t.Context(), last, store.GaveUp()))
	r := wantStatus(t, s, "job", messages.StatusError)
	same(t, "error code", *r.ErrorCode, 500)
	same(t, "has a message", r.ErrorMessage != "", true)
	same(t, "has a length", r.Seconds != nil, false)
	take(t, s, "younger")
}

func queueHolder(t *testing.T, s timed) {
	ctx := t.Context()
	upload(t, s, "fetched", "audio")
	create(t, s, newJob("job", 0))
	first := take(t, s, "job")
	s.advance(time.Minute)
	must(t, s.ExtendJob(ctx, first, time.Minute)) // late, but nobody has taken it
	take(t, s, "")
	s.advance(time.Minute)
	second := take(t, s, "job")
	lost := func(l store.Lease) {
		t.Helper()
		wants(t, s.ExtendJob(ctx, l, time.Hour), store.ErrLost)
		wants(t, s.FetchedJob(ctx, l, "fetched"), store.ErrLost)
		wants(t, s.GiveBackJob(ctx, l), store.ErrLost)
		wants(t, s.FinishJob(ctx, l, store.Outcome{}), store.ErrLost)
	}
	lost(first)
	lost(store.Lease{Record: newJob("none", 0), Number: second.Number})
	wants(t, s.FetchedJob(ctx, second, "none"), store.ErrNotFound)
	wants(t, s.FetchedJob(ctx, second, ""), store.ErrInvalid)
	wants(t, s.ExtendJob(ctx, second, 0), store.ErrInvalid)
	must(t, s.FinishJob(ctx, second, store.Outcome{}))
	lost(second)
	must(t, s.Delete(ctx, "acme", "job"))
	lost(second)
}

// queueReplaced wants a job to end with another upload, or not at all.
func queueReplaced(t *testing.T, s timed) {
	ctx := t.Context()
	upload(t, s, "original", "audio")
	job := newJob("job", 0)
	job.Upload = "original"
	create(t, s, job)
	l := take(t, s, "job")
	wants(t, s.FinishJob(ctx, l, store.Outcome{Upload: "none"}), store.ErrNotFound)
	same(t, "upload", wantStatus(t, s, "job", messages.StatusProcessing).Upload, "original")
	upload(t, s, "silenced", "au  o")
	wants(t, s.DeleteUpload(ctx, "acme", "original"), store.ErrUsed)
	must(t, s.FinishJob(ctx, l, store.Outcome{Upload: "silenced"}))
	same(t, "upload", wantStatus(t, s, "job", messages.StatusDone).Upload, "silenced")
	must(t, s.DeleteUpload(ctx, "acme", "original"))
	wants(t, s.DeleteUpload(ctx, "acme", "silenced"), store.ErrUsed)
}

// queueLetGo wants a job to end without its upload, which is another's still or nobody's.
func queueLetGo(t *testing.T, s timed) {
	ctx := t.Context()
	upload(t, s, "original", "audio")
	jobs := []store.Record{newJob("one", 0), newJob("two", time.Second)}
	for i := range jobs {
		jobs[i].Upload = "original"
	}
	create(t, s, jobs...)
	must(t, s.FinishJob(ctx, take(t, s, "one"), store.Outcome{ErrorCode: 503, NoUpload: true}))
	same(t, "upload", wantStatus(t, s, "one", messages.StatusError).Upload, "")
	wants(t, s.DeleteUpload(ctx, "acme", "original"), store.ErrUsed)
	must(t, s.FinishJob(ctx, take(t, s, "two"), store.Outcome{ErrorCode: 503, NoUpload: true}))
	must(t, s.DeleteUpload(ctx, "acme", "original"))
}

func queueGiveBack(t *testing.T, s timed) {
	ctx := t.Context()
	create(t, s, newJob("old", 0), newJob("young", time.Second))
	for range 5 {
		l := take(t, s, "old")
		same(t, "attempt", l.Attempt, 1)
		must(t, s.GiveBackJob(ctx, l))
		wantStatus(t, s, "old", messages.StatusQueued)
		wants(t, s.GiveBackJob(ctx, l), store.ErrLost)
		wants(t, s.FinishJob(ctx, l, store.Outcome{}), store.ErrLost)
	}
	take(t, s, "old")
	take(t, s, "young")
}

func queueFinish(t *testing.T, s timed) {
	ctx := t.Context()
	create(t, s, newJob("job", 0))
	l := take(t, s, "job")
	o := store.Outcome{Result: []byte(`{"x":1}`), Seconds: 1.5, Channels: 3,
		Params: []byte(`{"encoding":"wav/pcm","more":1}`)}
	good := delivery("job", 0, "transcription.success")
	bad := good
	bad.URL = ""
	wants(t, s.FinishJob(ctx, l, o, good, bad), store.ErrInvalid)
	wantStatus(t, s, "job", messages.StatusProcessing)
	same(t, "deliveries", pending(t, s), "")
	wants(t, s.Delete(ctx, "acme", "job"), store.ErrNotFinished)
	s.advance(time.Second)
	must(t, s.FinishJob(ctx, l, o, good))
	r := wantStatus(t, s, "job", messages.StatusDone)
	same(t, "result", string(r.Result), `{"x":1}`)
	same(t, "seconds", *r.Seconds, 1.5)
	same(t, "channels", r.Channels, 3)
	same(t, "parameters", string(r.Params), `{"encoding":"wav/pcm","more":1}`)
	same(t, "completed at", *r.CompletedAt, s.now())
	same(t, "has an error", r.ErrorCode != nil || r.ErrorMessage != "", false)
	same(t, "deliveries", pending(t, s), "transcription.success")
	take(t, s, "")
	must(t, s.Delete(ctx, "acme", "job"))
}

// queueWait wants the wait to end with work that is there, with work that comes, and with its
// context.
func queueWait(t *testing.T, s timed) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	wait := func() { go func() { ended <- s.WaitJob(ctx, toFetch) }() }
	wait()
	create(t, s, newJob("job", 0))
	must(t, <-ended)
	must(t, s.WaitJob(ctx, toFetch)) // it is there still
	l := take(t, s, "job")
	wait()
	must(t, s.GiveBackJob(ctx, l))
	must(t, <-ended)
	take(t, s, "job")
	s.advance(time.Minute)
	must(t, s.WaitJob(ctx, toFetch)) // its lease has run out
	take(t, s, "job")
	wait()
	cancel()
	wants(t, <-ended, context.Canceled)
}

func queueRace(t *testing.T, s store.Store) {
	const jobs, workers = 60, 4
	for i := range jobs {
		create(t, s, newJob(fmt.Sprintf("job%d", i), time.Duration(i)*time.Second))
	}
	var mu sync.Mutex
	taken := map[string]int{}
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			for {
				l, ok, err := s.LeaseJob(t.Context(), fmt.Sprint("node", w), time.Hour, toFetch)
				if err != nil || !ok {
					if err != nil {
						t.Error(err)
					}
					return
				}
				mu.Lock()
				taken[l.Record.ID]++
				mu.Unlock()
				if err := s.FinishJob(t.Context(), l, store.Outcome{}, delivery(l.Record.ID, 0, "end")); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	same(t, "jobs taken", len(taken), jobs)
	for id, n := range taken {
		same(t, "times "+id+" was taken", n, 1)
	}
	same(t, "callbacks", len(strings.Fields(pending(t, s))), jobs)
}

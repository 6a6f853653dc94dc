package storetest

import (
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"steno/messages"
	"steno/session/store"
)

func quotas(t *testing.T, s store.Store) {
	ctx := t.Context()
	all, err := s.Quotas(ctx)
	must(t, err)
	same(t, "number of quotas", len(all), 0)
	whole := store.Quota{Sessions: 1, Opens: 2, AudioHours: 0.5, Storage: 1 << 40, Callbacks: 4}
	must(t, s.SetQuota(ctx, "acme", store.Quota{Sessions: 9}))
	must(t, s.SetQuota(ctx, "acme", whole))
	must(t, s.SetQuota(ctx, "zeta", store.Quota{}))
	for _, bad := range []store.Quota{{Sessions: -1}, {AudioHours: -0.1}, {Callbacks: -1}, {AudioHours: 1e9}} {
		wants(t, s.SetQuota(ctx, "bad", bad), store.ErrInvalid)
	}
	wants(t, s.SetQuota(ctx, "", whole), store.ErrInvalid)
	all, err = s.Quotas(ctx)
	must(t, err)
	if want := map[string]store.Quota{"acme": whole, "zeta": {}}; !reflect.DeepEqual(all, want) {
		t.Fatalf("quotas are %v, want %v", all, want)
	}
	must(t, s.RemoveQuota(ctx, "acme"))
	wants(t, s.RemoveQuota(ctx, "acme"), store.ErrNotFound)
	all, err = s.Quotas(ctx)
	must(t, err)
	same(t, "number of quotas", len(all), 1)
}

// sessionQuota wants no more unfinished live sessions of an account than it may have, however many
// are asked for together; finished ones make room.
func sessionQuota(t *testing.T, s store.Store) {
	ctx := t.Context()
	other := newRecord("other")
	other.Account, other.MaxSessions = "zeta", 1
	create(t, s, other, newJob("job", 0))
	var made, refused atomic.Int64
	var all sync.WaitGroup
	for _, id := range []string{"a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7"} {
		all.Go(func() {
			r := newRecord(id)
			r.MaxSessions = 3
			switch err := s.Create(ctx, r); {
			case err == nil:
				made.Add(1)
			default:
				wants(t, err, store.ErrQuota)
				refused.Add(1)
			}
		})
	}
	all.Wait()
	same(t, "sessions made", made.Load(), 3)
	same(t, "sessions refused", refused.Load(), 5)
	create(t, s, newRecord("unbounded"))
	standing, err := s.Standing(ctx, "acme")
	must(t, err)
	same(t, "unfinished sessions", standing.Sessions, 4)
	must(t, s.SetStatus(ctx, "acme", "unbounded", messages.StatusProcessing))
	more := newRecord("more")
	more.MaxSessions = 4
	wants(t, s.Create(ctx, more), store.ErrQuota)
	finish(t, s, "unbounded", 0)
	must(t, s.Create(ctx, more))
	must(t, s.Cancel(ctx, "acme", "more"))
	more.ID = "another"
	must(t, s.Create(ctx, more))
}

// spending wants the units of a rate to be taken together, and to come back evenly.
func spending(t *testing.T, s timed) {
	ctx := t.Context()
	spend := func(account string, left int64, wait time.Duration) {
		t.Helper()
		n, w, err := s.Spend(ctx, account, "opens", 4, time.Minute)
		must(t, err)
		same(t, "units left", n, left)
		same(t, "wait", w.Round(time.Millisecond), wait)
	}
	for left := range 4 {
		spend("acme", int64(3-left), 0)
	}
	spend("acme", 0, 15*time.Second)
	spend("zeta", 3, 0)
	s.advance(10 * time.Second)
	spend("acme", 0, 5*time.Second)
	s.advance(5 * time.Second)
	spend("acme", 0, 0)
	spend("acme", 0, 15*time.Second)
	s.advance(time.Hour)
	spend("acme", 3, 0)
	n, _, err := s.Spend(ctx, "acme", "callbacks", 1, time.Second)
	must(t, err)
	same(t, "units left of another rate", n, 0)
	for _, bad := range []struct {
		account, what string
		most          int64
		window        time.Duration
	}{{"", "x", 1, time.Second}, {"a", "", 1, time.Second}, {"a", "x", 0, time.Second}, {"a", "x", 1, 0}} {
		_, _, err := s.Spend(ctx, bad.account, bad.what, bad.most, bad.window)
		wants(t, err, store.ErrInvalid)
	}
}

// usage wants what outcomes have used to be counted with them, once, and to outlive the records.
func usage(t *testing.T, s timed) {
	ctx := t.Context()
	day := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	used := []store.Use{
		{Model: "stt-1", Item: store.UsedSessions, Amount: 1}, {Model: "stt-1", Item: store.UsedLive, Amount: 1500},
		{Item: store.UsedCharacter + "translation", Amount: 1 << 40},
	}
	l := claim(t, s, "live")
	wants(t, l.Finish(ctx, store.Outcome{Use: []store.Use{{Model: "stt-1", Amount: 1}}}), store.ErrInvalid)
	wants(t, l.Finish(ctx, store.Outcome{Use: []store.Use{{Item: "x"}}}), store.ErrInvalid)
	must(t, l.Finish(ctx, store.Outcome{Use: used}))
	wants(t, l.Finish(ctx, store.Outcome{Use: used}), store.ErrFinished)
	must(t, l.Close())
	must(t, s.Delete(ctx, "acme", "live"))

	recorded := store.Outcome{Use: []store.Use{
		{Model: "stt-1", Item: store.UsedJobs, Amount: 1}, {Model: "stt-1", Item: store.UsedRecorded, Amount: 500},
	}}
	create(t, s, newJob("job", 0))
	lost := take(t, s, "job")
	s.advance(time.Hour)
	retried := take(t, s, "job")
	wants(t, s.FinishJob(ctx, lost, recorded), store.ErrLost)
	must(t, s.FinishJob(ctx, retried, recorded))
	wants(t, s.FinishJob(ctx, retried, recorded), store.ErrLost)
	standing, err := s.Standing(ctx, "acme")
	must(t, err)
	same(t, "audio of today", standing.Audio, 2*time.Second)

	s.advance(12 * time.Hour)
	create(t, s, newJobOf("zeta", "other", time.Second))
	must(t, s.FinishJob(ctx, take(t, s, "other"), recorded))
	standing, err = s.Standing(ctx, "acme")
	must(t, err)
	same(t, "audio of the next day", standing.Audio, 0)
	wanted := func(q store.UsageQuery, want ...store.Usage) {
		t.Helper()
		got, err := s.Usage(ctx, q)
		must(t, err)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("usage is\n%v, want\n%v", got, want)
		}
	}
	first := []store.Usage{
		{Day: day, Account: "acme", Use: used[2]}, {Day: day, Account: "acme", Use: used[1]},
		{Day: day, Account: "acme", Use: used[0]},
		{Day: day, Account: "acme", Use: recorded.Use[1]}, {Day: day, Account: "acme", Use: recorded.Use[0]},
	}
	next := day.AddDate(0, 0, 1)
	second := []store.Usage{
		{Day: next, Account: "zeta", Use: recorded.Use[1]}, {Day: next, Account: "zeta", Use: recorded.Use[0]},
	}
	store.SortUsage(first)
	wanted(store.UsageQuery{From: day, To: next}, append(first, second...)...)
	wanted(store.UsageQuery{From: day, To: next.Add(time.Hour), Account: "zeta"}, second...)
	wanted(store.UsageQuery{From: day, To: day}, first...)
	wanted(store.UsageQuery{From: day.AddDate(-1, 0, 0), To: day.AddDate(1, 0, 0), Account: "acme"}, first...)
	wanted(store.UsageQuery{From: next.AddDate(0, 0, 1), To: next.AddDate(0, 0, 2)})
	_, err = s.Usage(ctx, store.UsageQuery{From: next, To: day})
	wants(t, err, store.ErrInvalid)

	s.advance(store.UsageKept * 24 * time.Hour)
	create(t, s, newJob("late", 0))
	must(t, s.FinishJob(ctx, take(t, s, "late"), recorded))
	got, err := s.Usage(ctx, store.UsageQuery{From: day, To: day.AddDate(5, 0, 0)})
	must(t, err)
	same(t, "whether the oldest is kept", got[0].Day.After(next), true)
}

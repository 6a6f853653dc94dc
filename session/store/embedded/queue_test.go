package embedded

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"steno/messages"
	"steno/session/store"
)

func newJob(id string) store.Record {
	r := newRecord(id)
	r.Kind = messages.JobPreRecorded
	return r
}

// toFetch is for the jobs of newJob, which refer to no upload.
var toFetch = store.Want{Fetch: true}

func newDelivery(seq int64, event string) store.Delivery {
	return store.Delivery{Account: "acme", Job: "job", Seq: seq, Event: event, URL: "https://host/", Method: "POST"}
}

// TestHeldAfterDeath takes a job and a delivery and opens the folder again: both are free
// immediately, their attempts counted.
func TestHeldAfterDeath(t *testing.T) {
	ctx, dir := t.Context(), t.TempDir()
	for attempt := 1; attempt <= 3; attempt++ {
		s := openIn(t, dir)
		if attempt == 1 {
			if err := errors.Join(s.Create(ctx, newJob("job")), s.Enqueue(ctx, newDelivery(1, "a"),
				newDelivery(2, "b"))); err != nil {
				t.Fatal(err)
			}
		}
		if l, ok, err := s.LeaseJob(ctx, "node", time.Hour, toFetch); err != nil || !ok || l.Attempt != attempt {
			t.Errorf("lease is %+v, %v, %v, want attempt %d", l, ok, err, attempt)
		}
		if d, err := s.ClaimDeliveries(ctx, time.Hour, 10); err != nil || len(d) != 1 || d[0].Event != "a" ||
			d[0].Attempts != attempt {
			t.Errorf("deliveries are %+v, %v, want attempt %d of the first", d, err, attempt)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestWaitInTime waits in fake time: with work for no time, for what is due later until then.
func TestWaitInTime(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		ctx, start := t.Context(), time.Now()
		s := openIn(t, dir)
		waited := func(err error, want time.Duration) {
			t.Helper()
			if got := time.Since(start); err != nil || got != want {
				t.Errorf("waited until %v, %v, want %v", got, err, want)
			}
		}
		ended := make(chan error)
		go func() { ended <- s.WaitJob(ctx, toFetch) }()
		synctest.Wait()
		if err := errors.Join(s.Create(ctx, newJob("job")), s.Enqueue(ctx, newDelivery(1, "a"))); err != nil {
			t.Error(err)
		}
		waited(<-ended, 0)
		waited(s.WaitDelivery(ctx), 0)
		if _, _, err := s.LeaseJob(ctx, "node", 7*time.Second, toFetch); err != nil {
			t.Error(err)
		}
		waited(s.WaitJob(ctx, toFetch), 7*time.Second)
		d, err := s.ClaimDeliveries(ctx, time.Minute, 1)
		if err == nil {
			err = s.Failed(ctx, d[0], start.Add(time.Minute), 0, "")
		}
		if err != nil {
			t.Error(err)
		}
		waited(s.WaitDelivery(ctx), time.Minute)
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestWaitEnds makes every change that brings work while someone waits: the wait ends immediately.
func TestWaitEnds(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		ctx, start := t.Context(), time.Now()
		s := openIn(t, dir)
		told := func(what string, wait func(context.Context) error, change func() error) {
			t.Helper()
			ended := make(chan error)
			go func() { ended <- wait(ctx) }()
			synctest.Wait()
			if err := errors.Join(change(), <-ended); err != nil || !time.Now().Equal(start) {
				t.Errorf("%s: told after %v, %v", what, time.Since(start), err)
			}
		}
		var l store.Lease
		var d []store.Delivery
		take := func() {
			var err error
			if l, _, err = s.LeaseJob(ctx, "node", time.Hour, toFetch); err != nil {
				t.Error(err)
			}
		}
		claim := func() {
			var err error
			if d, err = s.ClaimDeliveries(ctx, time.Hour, 1); err != nil || len(d) != 1 {
				t.Fatalf("deliveries are %+v, %v", d, err)
			}
		}
		told("create", func(ctx context.Context) error { return s.WaitJob(ctx, toFetch) },
			func() error { return s.Create(ctx, newJob("job")) })
		take()
		told("give back", func(ctx context.Context) error { return s.WaitJob(ctx, toFetch) },
			func() error { return s.GiveBackJob(ctx, l) })
		take()
		told("finish", s.WaitDelivery, func() error {
			return s.FinishJob(ctx, l, store.Outcome{},
				newDelivery(0, "end"))
		})
		claim()
		told("postpone", s.WaitDelivery, func() error { return s.Postpone(ctx, d[0], start) })
		claim()
		told("fail", s.WaitDelivery, func() error { return s.Failed(ctx, d[0], start, 500, "") })
		claim()
		if err := s.Dead(ctx, d[0], 500, ""); err != nil {
			t.Error(err)
		}
		told("redeliver", s.WaitDelivery, func() error { return s.Redeliver(ctx, d[0].ID) })
		claim()
		if err := s.Sent(ctx, d[0]); err != nil {
			t.Error(err)
		}
		told("enqueue", s.WaitDelivery, func() error {
			return s.Enqueue(ctx, newDelivery(1, "a"),
				newDelivery(2, "b"))
		})
		claim()
		told("send", s.WaitDelivery, func() error { return s.Sent(ctx, d[0]) })
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestOutboxBesideServer lists and redelivers dead deliveries of a server; the server sees it
// within its recheck.
func TestOutboxBesideServer(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	if alone, err := OpenOutbox(t.Context(), dir); err != nil || alone.Close() != nil {
		t.Fatal("no server, no folder: ", err)
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, start := t.Context(), time.Now()
		s := openIn(t, dir)
		if err := errors.Join(s.Create(ctx, newRecord("job")), s.Enqueue(ctx, newDelivery(1, "a"))); err != nil {
			t.Error(err)
		}
		d, err := s.ClaimDeliveries(ctx, time.Minute, 1)
		if err == nil {
			err = s.Dead(ctx, d[0], 410, "gone")
		}
		if err != nil {
			t.Error(err)
		}
		ended := make(chan error)
		go func() { ended <- s.WaitDelivery(ctx) }()
		synctest.Wait()
		putBack(t, dir)
		if err := <-ended; err != nil || time.Since(start) > recheck {
			t.Errorf("seen after %v, %v", time.Since(start), err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
}

func putBack(t *testing.T, dir string) {
	t.Helper()
	o, err := OpenOutbox(t.Context(), dir)
	if err != nil {
		t.Error(err)
		return
	}
	dead, err := o.Deliveries(t.Context(), "", store.DeliveryDead, 10)
	if err != nil || len(dead) != 1 || dead[0].Failure != "gone" {
		t.Errorf("dead are %+v, %v", dead, err)
		return
	}
	if err := errors.Join(o.Redeliver(t.Context(), dead[0].ID), o.Close()); err != nil {
		t.Error(err)
	}
}

func BenchmarkDelivery(b *testing.B) {
	s := openIn(b, b.TempDir())
	if err := s.Create(b.Context(), newRecord("job")); err != nil {
		b.Fatal(err)
	}
	seq := int64(0)
	b.ReportAllocs()
	for b.Loop() {
		seq++
		if err := s.Enqueue(b.Context(), newDelivery(seq, "e")); err != nil {
			b.Fatal(err)
		}
		d, err := s.ClaimDeliveries(b.Context(), time.Minute, 1)
		if err != nil || len(d) != 1 || s.Sent(b.Context(), d[0]) != nil {
			b.Fatal(len(d), err)
		}
	}
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkLease leases a job of a long queue and returns it.
func BenchmarkLease(b *testing.B) {
	s := openIn(b, b.TempDir())
	for i := range 3000 {
		if err := s.Create(b.Context(), newJob(fmt.Sprint("job-", i))); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		l, ok, err := s.LeaseJob(b.Context(), "node", time.Minute, toFetch)
		if err != nil || !ok || s.GiveBackJob(b.Context(), l) != nil {
			b.Fatal(ok, err)
		}
	}
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
}

package storetest

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"steno/messages"
	"steno/session/store"
)

func delivery(job string, seq int64, event string) store.Delivery {
	return store.Delivery{
		Account: "acme", Job: job, Seq: seq, Event: event, URL: "https://host/hook", Method: "POST",
		Body: []byte(event),
	}
}

func enqueue(t *testing.T, s store.Store, d ...store.Delivery) {
	t.Helper()
	must(t, s.Enqueue(t.Context(), d...))
}

// events is the names of the events of deliveries.
func events(d []store.Delivery) string {
	var all []string
	for _, one := range d {
		all = append(all, one.Event)
	}
	return strings.Join(all, " ")
}

func listed(t *testing.T, s store.Store, account string, state store.DeliveryState) []store.Delivery {
	t.Helper()
	all, err := s.Deliveries(t.Context(), account, state, 1000)
	must(t, err)
	return all
}

func pending(t *testing.T, s store.Store) string {
	t.Helper()
	return events(listed(t, s, "acme", store.DeliveryPending))
}

// claimOne claims for a minute and wants it to be that event alone.
func claimOne(t *testing.T, s store.Store, event string) store.Delivery {
	t.Helper()
	d, err := s.ClaimDeliveries(t.Context(), time.Minute, 10)
	must(t, err)
	same(t, "claimed", events(d), event)
	if event == "" {
		return store.Delivery{}
	}
	return d[0]
}

func deliveryRoundTrip(t *testing.T, s timed) {
	ctx := t.Context()
	create(t, s, newRecord("job"))
	want := delivery("job", 7, "live.transcript")
	want.Method, want.Body = "PUT", []byte{0, 1, 0xff}
	enqueue(t, s, want)
	s.advance(time.Second)
	got := claimOne(t, s, "live.transcript")
	first := s.now()
	want.ID, want.Claim = got.ID, got.Claim
	want.State, want.CreatedAt, want.Attempts, want.FirstAttempt = store.DeliveryPending, epoch, 1, &first
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("got\n%+v, want\n%+v", got, want)
	}
	must(t, s.Failed(ctx, got, s.now(), 503, strings.Repeat("é", store.MaxFailure)))
	want.Body, want.Status = nil, 503
	list := listed(t, s, "acme", store.DeliveryPending)
	want.Failure, want.Claim = list[0].Failure, list[0].Claim
	if len(list) != 1 || !reflect.DeepEqual(list[0], want) {
		t.Fatalf("listed\n%+v, want\n%+v", list, want)
	}
	same(t, "failure", want.Failure, strings.Repeat("é", store.MaxFailure/2))
	s.advance(time.Hour)
	again := claimOne(t, s, "live.transcript")
	same(t, "id", again.ID, got.ID)
	same(t, "attempts", again.Attempts, 2)
	same(t, "first attempt", *again.FirstAttempt, first)
	same(t, "status", again.Status, 503)
	if len(got.ID) < 20 ||
		strings.Trim(got.ID, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != "" {
		t.Fatalf("id %q can be guessed, or is none for a header", got.ID)
	}
}

func badDeliveries(t *testing.T, s timed) {
	create(t, s, newRecord("job"))
	for _, c := range []struct {
		name   string
		change func(*store.Delivery)
		want   error
	}{
		{"no such job", func(d *store.Delivery) { d.Job = "none" }, store.ErrNotFound},
		{"another account", func(d *store.Delivery) { d.Account = "zeta" }, store.ErrNotFound},
		{"no event", func(d *store.Delivery) { d.Event = "" }, store.ErrInvalid},
		{"no URL", func(d *store.Delivery) { d.URL = "" }, store.ErrInvalid},
		{"no method", func(d *store.Delivery) { d.Method = "" }, store.ErrInvalid},
		{"negative number", func(d *store.Delivery) { d.Seq = -1 }, store.ErrInvalid},
	} {
		d := delivery("job", 2, "bad")
		c.change(&d)
		if err := s.Enqueue(t.Context(), delivery("job", 1, "good"), d); !errors.Is(err, c.want) {
			t.Errorf("%s: error is %v, want %v", c.name, err, c.want)
		}
	}
	same(t, "deliveries", pending(t, s), "")
	seq, err := s.LastSeq(t.Context(), "acme", "job")
	must(t, err)
	same(t, "last number", seq, 0)
	_, err = s.LastSeq(t.Context(), "zeta", "job")
	wants(t, err, store.ErrNotFound)
	for _, state := range []store.DeliveryState{"", "pruned"} {
		_, err := s.Deliveries(t.Context(), "", state, 10)
		wants(t, err, store.ErrInvalid)
	}
	for _, ttl := range []time.Duration{0, -time.Minute} {
		_, err := s.ClaimDeliveries(t.Context(), ttl, 1)
		wants(t, err, store.ErrInvalid)
	}
}

func deliveriesOnce(t *testing.T, s timed) {
	ctx := t.Context()
	create(t, s, newRecord("job"), newRecord("other"))
	enqueue(t, s, delivery("job", 3, "a"), delivery("job", 3, "again"), delivery("job", 5, "b"),
		delivery("job", 4, "late"))
	enqueue(t, s, delivery("job", 0, "end"), delivery("job", 0, "end"), delivery("other", 0, "end"))
	same(t, "deliveries", pending(t, s), "a b end end")
	for _, event := range []string{"a", "b", "end"} {
		d, err := s.ClaimDeliveries(ctx, time.Minute, 10)
		must(t, err)
		for _, one := range d {
			if one.Job == "job" {
				same(t, "event", one.Event, event)
			}
			must(t, s.Sent(ctx, one))
		}
	}
	s.advance(time.Hour)
	n, err := s.PruneDeliveries(ctx, s.now())
	must(t, err)
	same(t, "pruned", n, 4)
	enqueue(t, s, delivery("job", 5, "b"), delivery("job", 0, "end")) // what was known stays so
	same(t, "deliveries", pending(t, s), "")
	claimOne(t, s, "")
	seq, err := s.LastSeq(ctx, "acme", "job")
	must(t, err)
	same(t, "last number", seq, 5)
	seq, err = s.LastSeq(ctx, "acme", "other")
	must(t, err)
	same(t, "last number of the other", seq, 0)
	enqueue(t, s, delivery("job", 6, "c"))
	claimOne(t, s, "c")
}

func deliveryOrder(t *testing.T, s timed) {
	ctx := t.Context()
	create(t, s, newRecord("one"), newRecord("two"))
	enqueue(t, s, delivery("one", 1, "one.1"), delivery("one", 2, "one.2"))
	s.advance(time.Second)
	enqueue(t, s, delivery("two", 9, "two.9"))
	none, err := s.ClaimDeliveries(ctx, time.Minute, 0)
	must(t, err)
	same(t, "claimed of none", len(none), 0)
	d, err := s.ClaimDeliveries(ctx, time.Minute, 1)
	must(t, err)
	same(t, "longest due", events(d), "one.1")
	two := claimOne(t, s, "two.9")
	claimOne(t, s, "")
	must(t, s.Sent(ctx, d[0]))
	second := claimOne(t, s, "one.2")
	must(t, s.Sent(ctx, two))
	must(t, s.Sent(ctx, second))
	claimOne(t, s, "")
	same(t, "sent", events(listed(t, s, "acme", store.DeliverySent)), "one.1 one.2 two.9")
}

func deliveryRetries(t *testing.T, s timed) {
	ctx := t.Context()
	create(t, s, newRecord("job"))
	enqueue(t, s, delivery("job", 1, "a"), delivery("job", 2, "b"))
	d := claimOne(t, s, "a")
	must(t, s.Postpone(ctx, d, s.now().Add(time.Second)))
	same(t, "attempts", listed(t, s, "", store.DeliveryPending)[0].Attempts, 0)
	same(t, "was tried", listed(t, s, "", store.DeliveryPending)[0].FirstAttempt != nil, false)
	claimOne(t, s, "")
	s.advance(time.Second)
	d = claimOne(t, s, "a")
	same(t, "attempts", d.Attempts, 1)
	must(t, s.Failed(ctx, d, s.now().Add(time.Hour), 0, "no answer"))
	s.advance(time.Hour - time.Millisecond)
	claimOne(t, s, "")
	s.advance(time.Millisecond)
	d = claimOne(t, s, "a")
	s.advance(time.Minute) // its sender has died
	next := claimOne(t, s, "a")
	same(t, "id", next.ID, d.ID)
	same(t, "attempts", next.Attempts, 3)
	lost := func(d store.Delivery) {
		t.Helper()
		wants(t, s.Sent(ctx, d), store.ErrLost)
		wants(t, s.Failed(ctx, d, s.now(), 500, "x"), store.ErrLost)
		wants(t, s.Dead(ctx, d, 500, "x"), store.ErrLost)
		wants(t, s.Postpone(ctx, d, s.now()), store.ErrLost)
	}
	lost(d)
	must(t, s.Sent(ctx, next))
	lost(next)
	claimOne(t, s, "b")
}

func deadDeliveries(t *testing.T, s timed) {
	ctx := t.Context()
	create(t, s, newRecord("job"))
	enqueue(t, s, delivery("job", 1, "a"), delivery("job", 2, "b"), delivery("job", 3, "c"))
	a := claimOne(t, s, "a")
	must(t, s.Redeliver(ctx, a.ID)) // it is being sent
	claimOne(t, s, "")
	must(t, s.Dead(ctx, a, 410, "gone"))
	b := claimOne(t, s, "b")
	dead := listed(t, s, "acme", store.DeliveryDead)
	same(t, "dead", events(dead), "a")
	same(t, "status", dead[0].Status, 410)
	same(t, "failure", dead[0].Failure, "gone")
	same(t, "dead of another account", events(listed(t, s, "zeta", store.DeliveryDead)), "")
	wants(t, s.Redeliver(ctx, "msg_none"), store.ErrNotFound)
	must(t, s.Redeliver(ctx, a.ID))
	claimOne(t, s, "") // b is being sent
	must(t, s.Failed(ctx, b, s.now().Add(time.Hour), 500, ""))
	again := claimOne(t, s, "a") // immediately, and before b
	same(t, "id", again.ID, a.ID)
	same(t, "attempts", again.Attempts, 1)
	same(t, "body", string(again.Body), "a")
	must(t, s.Sent(ctx, again))
	wants(t, s.Redeliver(ctx, again.ID), store.ErrSent)
	must(t, s.Dead(ctx, claimOne(t, s, "b"), 0, ""))
	must(t, s.Sent(ctx, claimOne(t, s, "c")))
	claimOne(t, s, "")
	must(t, s.Redeliver(ctx, b.ID))
	claimOne(t, s, "b")
}

// waitingDeliveries checks that NextDue returns when a delivery is due again, and that Redeliver
// makes it due immediately.
func waitingDeliveries(t *testing.T, s timed) {
	ctx := t.Context()
	create(t, s, newRecord("job"))
	due := func(account string, want time.Time) {
		t.Helper()
		at, err := s.NextDue(ctx, account, "job")
		must(t, err)
		if !at.Equal(want) {
			t.Errorf("the next is due at %v, not %v", at, want)
		}
	}
	due("acme", time.Time{})
	enqueue(t, s, delivery("job", 1, "a"), delivery("job", 2, "b"))
	due("acme", s.now())
	due("zeta", time.Time{})
	a := claimOne(t, s, "a")
	due("acme", time.Time{})
	must(t, s.Failed(ctx, a, s.now().Add(time.Hour), 503, "busy"))
	due("acme", s.now().Add(time.Hour))
	must(t, s.Redeliver(ctx, a.ID))
	due("acme", s.now())
	a = claimOne(t, s, "a")
	same(t, "attempts", a.Attempts, 2) // the first one counts
	must(t, s.Failed(ctx, a, s.now().Add(time.Hour), 503, "busy"))
	list, err := s.JobDeliveries(ctx, "acme", "job", 1)
	must(t, err)
	must(t, s.Redeliver(ctx, list[0].ID)) // b, which waits for a
	must(t, s.Sent(ctx, claimOne(t, s, "a")))
	must(t, s.Sent(ctx, claimOne(t, s, "b")))
	due("acme", time.Time{})
	_, err = s.PruneDeliveries(ctx, s.now().Add(time.Hour))
	must(t, err)
	list, err = s.JobDeliveries(ctx, "acme", "job", 10)
	must(t, err)
	same(t, "deliveries", events(list), "")
	wants(t, s.Redeliver(ctx, a.ID), store.ErrNotFound)
}

func deliveryDeletion(t *testing.T, s timed) {
	ctx := t.Context()
	ended := newRecord("job")
	ended.Status = messages.StatusDone
	create(t, s, ended)
	enqueue(t, s, delivery("job", 1, "a"), delivery("job", 2, "b"), delivery("job", 0, "end"))
	d := claimOne(t, s, "a")
	must(t, s.Delete(ctx, "acme", "job"))
	wants(t, s.Sent(ctx, d), store.ErrLost)
	wants(t, s.Failed(ctx, d, s.now(), 500, ""), store.ErrLost)
	wants(t, s.Redeliver(ctx, d.ID), store.ErrNotFound)
	same(t, "deliveries", pending(t, s), "")
	s.advance(time.Hour)
	claimOne(t, s, "")
	_, err := s.LastSeq(ctx, "acme", "job")
	wants(t, err, store.ErrNotFound)
	create(t, s, ended) // another of that id
	seq, err := s.LastSeq(ctx, "acme", "job")
	must(t, err)
	same(t, "last number", seq, 0)
	enqueue(t, s, delivery("job", 1, "new"))
	claimOne(t, s, "new")
}

func pruning(t *testing.T, s timed) {
	ctx := t.Context()
	const many = 510 // more than the stores prune in one step
	create(t, s, newRecord("job"), newRecord("stuck"))
	enqueue(t, s, delivery("stuck", 1, "dead"), delivery("stuck", 2, "pending"))
	must(t, s.Dead(ctx, claimOne(t, s, "dead"), 0, ""))
	must(t, s.Failed(ctx, claimOne(t, s, "pending"), s.now().Add(100*time.Hour), 0, ""))
	var all []store.Delivery
	for i := range int64(many) {
		all = append(all, delivery("job", i+1, "e"))
	}
	enqueue(t, s, append(all, delivery("job", 0, "end"))...)
	for range many {
		must(t, s.Sent(ctx, claimOne(t, s, "e")))
	}
	s.advance(time.Hour)
	must(t, s.Sent(ctx, claimOne(t, s, "end")))
	n, err := s.PruneDeliveries(ctx, s.now())
	must(t, err)
	same(t, "pruned", n, many)
	same(t, "sent", events(listed(t, s, "acme", store.DeliverySent)), "end")
	for _, want := range []int{1, 0} {
		n, err = s.PruneDeliveries(ctx, s.now().Add(time.Hour))
		must(t, err)
		same(t, "pruned", n, want)
	}
	same(t, "sent", len(listed(t, s, "acme", store.DeliverySent)), 0)
	same(t, "dead", events(listed(t, s, "acme", store.DeliveryDead)), "dead")
	same(t, "pending", pending(t, s), "pending")
}

// outboxWait wants the wait to end with a delivery that is due, with one that becomes so, and with
// its context.
func outboxWait(t *testing.T, s timed) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	wait := func() { go func() { ended <- s.WaitDelivery(ctx) }() }
	create(t, s, newRecord("job"))
	wait()
	enqueue(t, s, delivery("job", 1, "a"), delivery("job", 2, "b"))
	must(t, <-ended)
	must(t, s.WaitDelivery(ctx)) // it is due still
	a := claimOne(t, s, "a")
	wait()
	must(t, s.Dead(ctx, a, 0, ""))
	must(t, <-ended) // for the next
	claimOne(t, s, "b")
	s.advance(time.Minute)
	must(t, s.WaitDelivery(ctx)) // its claim has ended
	b := claimOne(t, s, "b")
	must(t, s.Sent(ctx, b))
	wait()
	must(t, s.Redeliver(ctx, a.ID))
	must(t, <-ended)
	must(t, s.Failed(ctx, claimOne(t, s, "a"), s.now().Add(time.Hour), 0, ""))
	wait()
	cancel()
	wants(t, <-ended, context.Canceled)
}

func deliveriesOfJob(t *testing.T, s timed) {
	ctx := t.Context()
	create(t, s, newRecord("job"))
	create(t, s, newRecord("other"))
	enqueue(t, s, delivery("job", 1, "one"), delivery("other", 1, "apart"), delivery("job", 2, "two"),
		delivery("job", 3, "three"))
	claimed, err := s.ClaimDeliveries(ctx, time.Minute, 10)
	must(t, err)
	for _, d := range claimed {
		must(t, s.Sent(ctx, d))
	}
	claimed, err = s.ClaimDeliveries(ctx, time.Minute, 10)
	must(t, err)
	must(t, s.Dead(ctx, claimed[0], 410, "gone"))
	list := func(account, job string, limit int) string {
		t.Helper()
		all, err := s.JobDeliveries(ctx, account, job, limit)
		must(t, err)
		var text []string
		for _, d := range all {
			text = append(text, d.Event+" "+string(d.State)+" "+d.Failure)
		}
		return strings.Join(text, ",")
	}
	same(t, "deliveries of the job", list("acme", "job", 10), "three pending ,two dead gone,one sent ")
	same(t, "the newest one", list("acme", "job", 1), "three pending ")
	same(t, "none of none", list("acme", "job", 0), "")
	same(t, "those of another account", list("rival", "job", 10), "")
	same(t, "those of no job", list("acme", "none", 10), "")
}

package callbacks

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"steno/gateway/metrics"
	"steno/gateway/recovery"
	"steno/messages"
	"steno/session"
	"steno/session/store"
	"steno/session/store/embedded"
	"steno/session/store/embedded/embeddedtest"
)

// sinkFixture is a claimed live session in a store.
type sinkFixture struct {
	t      *testing.T
	store  *embedded.Store
	record store.Record
	live   store.Live
}

// newSinkFixture returns a session that asks for callbacks of these kinds.
func newSinkFixture(t *testing.T, kinds ...messages.Kind) *sinkFixture {
	t.Helper()
	s, err := embedded.Open(t.Context(), embeddedtest.Folder(t))
	if err != nil {
		t.Fatal(err)
	}
	r := &sinkFixture{t: t, store: s, record: store.Record{
		ID: "6a2f41a3-8a0e-4b1d-9b57-2d1f0c6de001", Account: account, Kind: messages.JobLive,
		Status:    messages.StatusProcessing,
		CreatedAt: time.Now(), Params: []byte(`{}`), PostSessionMetadata: []byte(`{}`), TokenHash: []byte("hash"),
		Callback: messages.FilterOf(kinds...),
	}}
	if err := s.Create(t.Context(), r.record); err != nil {
		t.Fatal(err)
	}
	if r.live, err = s.Claim(t.Context(), r.record.ID, store.IfFree); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(r.live.Close(), s.Close()); err != nil {
			t.Error(err)
		}
	})
	return r
}

// open opens a sink that works with a store.
func (r *sinkFixture) open(s SinkStore) *Sink {
	r.t.Helper()
	m := metrics.New()
	sink, err := OpenSink(r.t.Context(), SinkConfig{
		Store: s, Record: r.record, URL: "http://127.0.0.1:1/", Metrics: m, Recoverer: recovery.New(zerolog.Nop(),
			m.Panics),
		Log: zerolog.Nop(),
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return sink
}

// failing is a store whose outbox takes nothing for a while.
type failing struct {
	*embedded.Store
	failures atomic.Int64
}

func (f *failing) Enqueue(ctx context.Context, list ...store.Delivery) error {
	if f.failures.Add(-1) >= 0 {
		return errors.New("disk is slow")
	}
	return f.Store.Enqueue(ctx, list...)
}

// The delivery of a session's end is enqueued as soon as the outbox takes it, while the session
// waits for its outcome.
func TestEndOutlivesAFailingOutbox(t *testing.T) {
	r := newSinkFixture(t, messages.KindEndSession)
	flaky := &failing{Store: r.store}
	o := r.open(flaky)
	defer o.Close()
	flaky.failures.Store(2)
	if err := o.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	list, err := r.store.Deliveries(t.Context(), "", store.DeliveryPending, 10)
	if err != nil || len(list) != 1 || list[0].Event != EndSession {
		t.Errorf("deliveries are %v, %v", list, err)
	}
}

// Nothing follows end_session: not what is refused while the session ends, and not what another
// node, to which a client comes after the end, refuses.
func TestNothingFollowsTheEnd(t *testing.T) {
	r := newSinkFixture(t, messages.KindFailedAck, messages.KindEndSession)
	refusal := messages.Event{Key: messages.Key{Kind: messages.KindFailedAck}, Body: []byte(`{}`)}
	var dropped []string
	open := func() *Sink {
		sink := r.open(r.store)
		sink.queue.drop = func(reason string) { dropped = append(dropped, reason) }
		return sink
	}
	first := open()
	first.Send(refusal)
	if err := first.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	first.Send(refusal)
	first.Close()
	if err := session.LogEnd(t.Context(), r.record.ID, r.live, messages.EndSession{}); err != nil {
		t.Fatal(err)
	}
	second := open()
	second.Send(refusal)
	second.Close()
	list, err := r.store.Deliveries(t.Context(), "", store.DeliveryPending, 10)
	if err != nil || len(list) != 2 || list[1].Event != EndSession {
		t.Errorf("deliveries are %v, %v", list, err)
	}
	if want := []string{metrics.DropCallbackEnd, metrics.DropCallbackEnd}; !slices.Equal(dropped, want) {
		t.Errorf("drops are %v, want %v", dropped, want)
	}
}

// Events of both kinds keep their order where the outbox fails in between, and none is lost or
// repeated.
func TestSinkOutlivesAFailingOutbox(t *testing.T) {
	r := newSinkFixture(t, messages.KindPartial, messages.KindFinal, messages.KindEndSession)
	flaky := &failing{Store: r.store}
	o := r.open(flaky)
	defer o.Close()
	flaky.failures.Store(3)
	var want []int64
	for i := range 2*transferPage + 5 {
		if i%3 == 0 {
			o.Send(messages.Event{Key: messages.Key{Kind: messages.KindPartial, Subject: fmt.Sprint(i)},
				Body: []byte(`{}`)})
			want = append(want, 0)
			continue
		}
		event := messages.Event{Key: messages.Key{Kind: messages.KindFinal, Subject: fmt.Sprint(i)}, Body: []byte(`{}`)}
		seq, _, err := r.live.AppendEvent(t.Context(), event, -1, nil)
		if err != nil {
			t.Fatal(err)
		}
		o.Send(messages.Event{Seq: seq, Key: event.Key, Body: event.Body})
		want = append(want, seq)
	}
	if err := o.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	list, err := r.store.Deliveries(t.Context(), "", store.DeliveryPending, 1000)
	if err != nil {
		t.Fatal(err)
	}
	var got []int64
	for _, d := range list {
		got = append(got, d.Seq)
	}
	if !slices.Equal(got, append(want, 0)) { // and the end
		t.Errorf("got  %v\nwant %v", got, want)
	}
	if flaky.failures.Load() > 0 {
		t.Error("the outbox never failed")
	}
}

// What a process logged, and did not enqueue before it died, is enqueued when the session is opened
// again, once.
func TestSinkBeginsBehindTheLastEnqueued(t *testing.T) {
	r := newSinkFixture(t, messages.KindFinal)
	// the second is not asked for
	kinds := []messages.Kind{messages.KindFinal, messages.KindSpeechEnd, messages.KindFinal}
	var want []int64
	for round := range 3 {
		for i := range transferPage {
			kind := kinds[i%len(kinds)]
			event := messages.Event{Key: messages.Key{Kind: kind, Subject: fmt.Sprint(round, "/", i)},
				Body: []byte(`{}`)}
			seq, _, err := r.live.AppendEvent(t.Context(), event, -1, nil)
			if err != nil {
				t.Fatal(err)
			}
			if kind == messages.KindFinal {
				want = append(want, seq)
			}
		}
		o := r.open(r.store)
		var got []int64
		list, err := r.store.Deliveries(t.Context(), "", store.DeliveryPending, 1000)
		o.Close()
		for _, d := range list {
			got = append(got, d.Seq)
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("opened for the %d. time: %v\ngot  %v\nwant %v", round+1, err, got, want)
		}
	}
}

// The queue of unlogged events is bounded: the newest partial of an utterance replaces those before
// it, then there is no room.
func TestUnloggedEventsAreBounded(t *testing.T) {
	q := &unloggedQueue{drop: func(string) {}}
	for i := range 2 * maxUnlogged {
		q.add(messages.Event{Key: messages.Key{Kind: messages.KindPartial, Subject: fmt.Sprint(i / 2)},
			Body: fmt.Append(nil, i)})
	}
	q.add(messages.Event{Key: messages.Key{Kind: messages.KindAudioAck}, Body: []byte("ack")})
	if len(q.events) != maxUnlogged || string(q.events[1].event.Body) != "3" {
		t.Errorf("%d wait, the second is %s", len(q.events), q.events[1].event.Body)
	}
	q.take(0)
	q.add(messages.Event{Key: messages.Key{Kind: messages.KindAudioAck}, Body: make([]byte, maxUnloggedBytes+1)})
	if len(q.events) != 0 || q.bytes != 0 {
		t.Errorf("%d wait with %d bytes", len(q.events), q.bytes)
	}
}

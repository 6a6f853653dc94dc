package session

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"steno/messages"
	"steno/session/panics"
)

// Sink is where events go: a socket's outbox, a callback queue, a subscriber.
type Sink interface {
	// Wants is the set of kinds the sink is sent. It stays the same over the sink's life.
	Wants() messages.Filter
	// Send takes an event. It must not block: a sink that cannot keep up has its own policy for that.
	Send(Event)
}

// Event is one message on its way to a sink.
type Event struct {
	// Seq is the event's number in the log, from 1; 0 where it is not logged (acks, partials).
	Seq  int64
	Kind messages.Kind
	// Key identifies the event within its session. All partials of an utterance have the same key: a newer one may
	// replace an older one that is still waiting to be sent.
	Key string
	// Body is the exact JSON text. It is never changed and may be kept.
	Body []byte
}

// emitter numbers, stamps and logs events and hands them to the sinks that want them. It is the one place where
// filtering happens and where order is decided.
type emitter struct {
	id     string
	ledger Ledger

	mu     sync.Mutex
	sinks  []Sink
	failed error // the first failure to log; nothing is emitted after it
}

// checkpoint is a lane's state, to be kept together with the event that makes it the last one.
type checkpoint struct {
	lane  int
	state []byte
}

// noCheckpoint is for events that leave the lanes' checkpoints as they are.
var noCheckpoint = checkpoint{lane: -1}

// emit sends one event on its way. An event whose key the log already has is dropped: whoever wants it has it or
// gets it by Attach. The returned error is a failure to log.
func (e *emitter) emit(ctx context.Context, key string, m messages.Message, c checkpoint) error {
	_, err := e.add(ctx, key, m, c)
	return err
}

// add is emit and tells whether the event is new to the log.
func (e *emitter) add(ctx context.Context, key string, m messages.Message, c checkpoint) (fresh bool, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.failed != nil {
		return false, e.failed
	}
	kind := m.Kind()
	if !kind.Logged() && !e.anyWants(kind) {
		return false, nil
	}
	ev := Event{Kind: kind, Key: key}
	ev.Body = messages.Append(nil, messages.Envelope{SessionID: e.id, CreatedAt: time.Now()}, m)
	if kind.Logged() {
		logged := messages.Logged{Kind: kind, Key: key, Body: ev.Body}
		seq, fresh, err := e.ledger.AppendEvent(ctx, logged, c.lane, c.state)
		if err != nil {
			e.failed = fmt.Errorf("log %s event: %w", kind, err)
			return false, e.failed
		}
		if !fresh {
			return false, nil
		}
		ev.Seq = seq
	}
	return kind.Logged(), e.deliverAll(ev)
}

// deliverAll hands an event to all sinks. One that panics is sent nothing more, as it has missed something; the others are
// not concerned.
func (e *emitter) deliverAll(ev Event) (first error) {
	e.sinks = slices.DeleteFunc(e.sinks, func(o Sink) bool {
		err := deliver(o, ev)
		first = cmp.Or(first, err)
		return err != nil
	})
	return first
}

// answer sends one sink a message that is not logged and is nobody else's.
func (e *emitter) answer(o Sink, key string, m messages.Message) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	body := messages.Append(nil, messages.Envelope{SessionID: e.id, CreatedAt: time.Now()}, m)
	return deliver(o, Event{Kind: m.Kind(), Key: key, Body: body})
}

// deliver hands an event to a sink that wants it: the only place that asks. Its only error is a panic of the sink's.
func deliver(o Sink, ev Event) (err error) {
	defer panics.To(&err)
	if o.Wants().Has(ev.Kind) {
		o.Send(ev)
	}
	return nil
}

func (e *emitter) anyWants(k messages.Kind) bool {
	for _, o := range e.sinks {
		if o.Wants().Has(k) {
			return true
		}
	}
	return false
}

// attach gives a sink every logged event after the given number, then all that follow, without gap or repeat.
func (e *emitter) attach(ctx context.Context, o Sink, after int64) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	err := eachEvent(ctx, e.ledger, after, func(l messages.Logged) error {
		return deliver(o, Event{Seq: l.Seq, Kind: l.Kind, Key: l.Key, Body: l.Body})
	})
	if err != nil {
		return fmt.Errorf("replay events: %w", err)
	}
	e.sinks = append(e.sinks, o)
	return nil
}

func (e *emitter) detach(o Sink) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.sinks = slices.DeleteFunc(e.sinks, func(x Sink) bool { return x == o })
}

// eachEvent walks the log in order, a page at a time.
func eachEvent(ctx context.Context, l Ledger, after int64, f func(messages.Logged) error) error {
	const page = 256
	for {
		events, err := l.Events(ctx, after, page)
		if err != nil {
			return err
		}
		for _, e := range events {
			if err := f(e); err != nil {
				return err
			}
			after = e.Seq
		}
		if len(events) < page {
			return nil
		}
	}
}

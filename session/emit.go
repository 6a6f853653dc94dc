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
	// Send takes an event. It must not block: a sink that cannot keep up has its own policy for that. All partials of an
	// utterance have the same key: a newer one may replace an older one that still waits to be sent.
	Send(messages.Event)
}

// emitter numbers, stamps and logs events and delivers them to the sinks that want them. It decides their order.
type emitter struct {
	id       string
	log      EventLog
	bodiless bool // events carry their message alone: the log is read by this process only, and there are no sinks

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

// emit stamps a message, logs it where its kind is logged, and hands it to the sinks that want it. An event whose key the
// log already has is dropped: its sinks have it or get it by Attach. fresh reports whether the log did not have it; a kind
// that is not logged is never fresh. The returned error is a failure to log.
func (e *emitter) emit(ctx context.Context, key messages.Key, m messages.Message, c checkpoint) (fresh bool, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.failed != nil {
		return false, e.failed
	}
	kind := key.Kind
	if !kind.Logged() && !e.anyWants(kind) {
		return false, nil
	}
	ev := e.event(key, m)
	if kind.Logged() {
		seq, fresh, err := e.log.AppendEvent(ctx, ev, c.lane, c.state)
		if err != nil {
			e.failed = fmt.Errorf("log %s event: %w", kind, err)
			return false, e.failed
		}
		if !fresh {
			return false, nil
		}
		ev.Seq = seq
	}
	e.sinks = slices.DeleteFunc(e.sinks, func(o Sink) bool { // one that panics has missed an event, and gets no other
		panicked := deliver(o, ev)
		err = cmp.Or(err, panicked)
		return panicked != nil
	})
	return kind.Logged(), err
}

// answer sends a message that is not logged to one sink alone.
func (e *emitter) answer(o Sink, key messages.Key, m messages.Message) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return deliver(o, e.event(key, m))
}

// event stamps a message, and encodes it where anything reads the text.
func (e *emitter) event(key messages.Key, m messages.Message) messages.Event {
	ev := messages.Event{Key: key, Message: m}
	if ack, ok := m.(messages.AudioAck); ok {
		ev.Acked = ack.ByteRange[1]
	}
	if !e.bodiless {
		ev.Body = messages.Append(nil, messages.Envelope{SessionID: e.id, CreatedAt: time.Now()}, m)
	}
	return ev
}

// Wants reports whether a sink is sent events of a kind. It is the only place that filters.
func Wants(s Sink, k messages.Kind) bool { return s.Wants().Has(k) }

// deliver hands an event to a sink that wants it. Its only error is a panic of the sink's.
func deliver(o Sink, ev messages.Event) (err error) {
	defer panics.To(&err)
	if Wants(o, ev.Kind) {
		o.Send(ev)
	}
	return nil
}

func (e *emitter) anyWants(k messages.Kind) bool {
	for _, o := range e.sinks {
		if Wants(o, k) {
			return true
		}
	}
	return false
}

// attach gives a sink every logged event after the given number, then all that follow, without gap or repeat.
func (e *emitter) attach(ctx context.Context, o Sink, after int64) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	err := eachEvent(ctx, e.log, after, func(ev messages.Event) error { return deliver(o, ev) })
	if err != nil {
		return fmt.Errorf("replay events: %w", err)
	}
	e.sinks = append(e.sinks, o)
	return nil
}

// LogEnd logs the end_session of a session whose process died after it kept the outcome. A log that has it stays as it is.
func LogEnd(ctx context.Context, id string, log EventLog) error {
	e := emitter{id: id, log: log}
	_, err := e.emit(ctx, messages.Key{Kind: messages.KindEndSession}, messages.EndSession{}, noCheckpoint)
	return err
}

func (e *emitter) detach(o Sink) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.sinks = slices.DeleteFunc(e.sinks, func(x Sink) bool { return x == o })
}

// eachEvent walks the log in order, a page at a time.
func eachEvent(ctx context.Context, l EventLog, after int64, f func(messages.Event) error) error {
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

// finalOf is the utterance of a logged final.
func finalOf(e messages.Event) (messages.Utterance, error) {
	m, err := e.Decode()
	t, _ := m.(messages.Transcript)
	return t.Utterance, err
}

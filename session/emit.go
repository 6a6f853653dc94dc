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

// Sink receives a session's events: a socket's outbox, a callback queue, a subscriber. A Sink is
// comparable.
type Sink interface {
	// Wants is the set of kinds the sink is sent. The logged kinds stay the same over the sink's
	// life; the others may be added and removed at any time.
	Wants() messages.Filter
	// Send delivers an event. It must not block: a sink that cannot keep up has its own policy for
	// that. All partials of an utterance have the same key: a newer one may replace an older one
	// that is still queued.
	Send(messages.Event)
}

// EndSink is a Sink whose End is called when its session is done. End must not block. It is not
// called if the session was done before the sink was attached.
type EndSink interface {
	Sink
	End()
}

// emitter numbers, stamps and logs events and delivers them to the sinks that want them, once they
// are durable. It decides their order.
type emitter struct {
	id     string
	ledger Ledger
	// the log is read by this process only, and there are no sinks: events need no text
	bodiless bool
	grown    chan struct{} // holds a token when more has become durable; nil before listen

	mu      sync.Mutex
	sinks   []attachment
	failed  error // the first failure to log; nothing is emitted after it
	synced  int64 // the highest boundary that was asked to be durable
	order   int64 // of the newest event
	sent    int64 // number of the last logged event that was delivered; 0 before
	waiting waitingEvents
	idle    chan struct{} // closed when nothing waits any more; nil while that is not waited for
}

// attachment is a sink and the point from which it is sent events.
type attachment struct {
	Sink
	order int64 // of the newest event when it was attached: it is sent the later ones,
	seq   int64 // and the logged ones above this number
}

// checkpoint is a lane's state, kept together with the event after which it was saved.
type checkpoint struct {
	lane  int
	state []byte
}

// noCheckpoint is for events that leave the lanes' checkpoints as they are.
var noCheckpoint = checkpoint{lane: -1}

func newEmitter(c *Config) *emitter {
	e := &emitter{id: c.ID, ledger: c.Ledger, bodiless: c.bodiless}
	e.waiting.dropped = c.Dropped
	e.sinks = make([]attachment, 0, len(c.Sinks)+1) // and a socket's
	for _, o := range c.Sinks {
		e.sinks = append(e.sinks, attachment{Sink: o})
	}
	return e
}

// emit stamps a message, logs it if its kind is logged, and delivers it to the sinks that want it
// once it is durable and all events before it are delivered. An event whose key is already logged
// is dropped: Attach has sent it or will send it. fresh reports whether the log did not have it; a
// kind that is not logged is never fresh. The error is a failure to log, or a sink's panic.
func (e *emitter) emit(ctx context.Context, key messages.Key, m messages.Message, c checkpoint) (fresh bool,
	err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.failed != nil {
		return false, e.failed
	}
	kind := key.Kind
	if !kind.Logged() && !e.anyWants(kind) {
		return false, nil
	}
	var w waitingEvent
	w.ack, _ = m.(*ack)
	e.fill(&w.Event, key, m)
	if kind.Logged() {
		if w.Seq, fresh, err = e.ledger.AppendEvent(ctx, w.Event, c.lane, c.state); err != nil {
			e.failed = fmt.Errorf("log %s event: %w", kind, err)
			return false, e.failed
		}
		if !fresh {
			return false, nil
		}
		w.needs.Seq = w.Seq
	}
	if kind == messages.KindAudioAck {
		w.needs.Boundary = e.synced
	}
	return kind.Logged(), e.pass(&w)
}

// answer sends a message that is not logged to one sink alone.
func (e *emitter) answer(o Sink, key messages.Key, m messages.Message) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	w := waitingEvent{only: o}
	e.fill(&w.Event, key, m)
	return e.pass(&w)
}

// sync asks that the journal be durable up to a boundary, for the acks that follow.
func (e *emitter) sync(boundary int64) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.ledger.Sync(boundary); err != nil {
		return err
	}
	e.synced = max(e.synced, boundary)
	return nil
}

// pass delivers an event if it is durable and no other waits; otherwise it queues the event. It is
// called with mu held. The event is passed by reference to save stack: most are emitted by a
// goroutine that reads a socket, whose stack need not grow for it.
func (e *emitter) pass(w *waitingEvent) error {
	e.order++
	w.order = e.order
	if len(e.waiting.list) == 0 && (w.needs == Progress{} || e.ledger.Durable().covers(w.needs)) {
		return e.deliver(w)
	}
	if !e.waiting.add(w) {
		last := e.waiting.takeLastAck()
		w.ack = mergedAck(last.ack, w.ack)
		e.fill(&w.Event, w.Key, w.ack)
		e.waiting.add(w)
	}
	return e.release()
}

// release delivers the waiting events, as far as they are durable. It is called with mu held.
func (e *emitter) release() (err error) {
	n := e.waiting.ready(e.ledger.Durable())
	for i := range n {
		err = cmp.Or(err, e.deliver(&e.waiting.list[i]))
	}
	e.waiting.remove(n)
	if len(e.waiting.list) == 0 && e.idle != nil {
		close(e.idle)
		e.idle = nil
	}
	return err
}

// deliver hands an event to the sinks that want it. A sink that panics has missed an event, and is
// sent no other. It is called with mu held.
func (e *emitter) deliver(w *waitingEvent) (err error) {
	if w.Seq > 0 {
		e.sent = w.Seq
	}
	if w.ack != nil && e.lends(w) {
		w.Message = w.ack
	}
	kept := e.sinks[:0]
	for _, o := range e.sinks {
		var panicked error
		if o.follows(w) {
			panicked = send(o.Sink, &w.Event)
		}
		if panicked == nil {
			kept = append(kept, o)
		}
		err = cmp.Or(err, panicked)
	}
	clear(e.sinks[len(kept):])
	e.sinks = kept
	return err
}

// lends reports whether an ack goes to a single sink, and that is a RecyclingSink: only then may
// the sink recycle the ack. If so, it makes that sink the only receiver. It is called with mu held.
func (e *emitter) lends(w *waitingEvent) bool {
	var only Sink
	for i := range e.sinks {
		o := &e.sinks[i]
		if !o.follows(w) || !Wants(o.Sink, w.Kind) {
			continue
		}
		if only != nil {
			return false
		}
		only = o.Sink
	}
	if _, ok := only.(RecyclingSink); !ok {
		return false
	}
	w.only = only
	return true
}

// follows reports whether the event is for this sink, if the sink wants the kind.
func (a *attachment) follows(w *waitingEvent) bool {
	switch {
	case w.only != nil && w.only != a.Sink:
		return false
	case w.Seq > 0:
		return w.Seq > a.seq
	}
	return w.order > a.order
}

// listen prepares for reports that more has become durable. It is called before notify and run.
func (e *emitter) listen() { e.grown = make(chan struct{}, 1) }

// notify reports that more has become durable. It does not block.
func (e *emitter) notify() {
	select {
	case e.grown <- struct{}{}:
	default:
	}
}

// run delivers waiting events when they have become durable, until ctx ends. Its errors, which are
// panics of sinks, go to failed.
func (e *emitter) run(ctx context.Context, failed func(error)) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-e.grown:
		}
		e.mu.Lock()
		err := e.release()
		e.mu.Unlock()
		failed(err)
	}
}

// end calls End of the sinks that have it.
func (e *emitter) end() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, o := range e.sinks {
		if told, ok := o.Sink.(EndSink); ok {
			told.End()
		}
	}
}

// settle waits until every event emitted so far is durable and delivered, or ctx ends.
func (e *emitter) settle(ctx context.Context) error {
	e.mu.Lock()
	if len(e.waiting.list) == 0 {
		e.mu.Unlock()
		return nil
	}
	if e.idle == nil {
		e.idle = make(chan struct{})
	}
	idle := e.idle
	e.mu.Unlock()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// fill makes an event of a message: it stamps it, and encodes it where anything reads the text.
func (e *emitter) fill(ev *messages.Event, key messages.Key, m messages.Message) {
	ev.Key, ev.Message, ev.Emitted = key, m, time.Now()
	var room []byte
	if ack, ok := m.(*ack); ok {
		ev.Acked, ev.Message, room = ack.ByteRange[1], &ack.AudioAck, ack.text[:0]
	}
	if !e.bodiless && !key.Kind.Internal() {
		ev.Body = messages.Append(room, messages.Envelope{SessionID: e.id, CreatedAt: ev.Emitted}, ev.Message)
	}
}

// Wants reports whether a sink is sent events of a kind. It is the only place that filters.
func Wants(s Sink, k messages.Kind) bool { return s.Wants().Has(k) }

// send hands an event to a sink that wants it. Its only error is a panic of the sink's.
func send(o Sink, ev *messages.Event) (err error) {
	defer panics.To(&err)
	if Wants(o, ev.Kind) {
		o.Send(*ev)
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

// attach sends a sink every logged event after the given number, then all that follow, without gap
// or repeat. Events that are not durable yet follow when they are.
func (e *emitter) attach(ctx context.Context, o Sink, after int64) error {
	var last int64 // number of the last replayed event
	replay := func() error {
		return eachEvent(ctx, e.ledger, max(after, last), func(ev messages.Event) error {
			last = ev.Seq
			return send(o, &ev)
		})
	}
	if err := replay(); err != nil { // without the lock: the log may be long, and far away
		return fmt.Errorf("replay events: %w", err)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.sent > max(after, last) {
		if err := replay(); err != nil {
			return fmt.Errorf("replay events: %w", err)
		}
	}
	e.sinks = append(e.sinks, attachment{Sink: o, order: e.order, seq: last})
	return nil
}

func (e *emitter) detach(o Sink) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.sinks = slices.DeleteFunc(e.sinks, func(a attachment) bool { return a.Sink == o })
}

// LogEnd logs end_session for a session whose process died after the outcome was kept. If the log
// has it already, nothing changes.
func LogEnd(ctx context.Context, id string, log EventLog, end messages.EndSession) error {
	e := emitter{id: id}
	var ev messages.Event
	e.fill(&ev, messages.Key{Kind: messages.KindEndSession}, end)
	if _, _, err := log.AppendEvent(ctx, ev, noCheckpoint.lane, nil); err != nil {
		return fmt.Errorf("log end of session: %w", err)
	}
	return nil
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

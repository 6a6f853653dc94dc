package client

import (
	"sync"

	"steno/gateway/dialect"
	"steno/gateway/limits"
	"steno/gateway/metrics"
	"steno/messages"
)

// outbox is a socket's bounded queue of events to be written. Of an utterance's partials only the
// newest is kept. If there is no room, a partial is dropped, and any other event closes the socket.
// The session survives that: events that the client has not confirmed are sent on the next socket.
// The events that a newly attached socket has missed are bounded by the session's log and by the
// budget of all sockets. It is a [session.Sink]; its methods may be called from any goroutine.
type outbox struct {
	wants    messages.Filter
	values   bool // events keep their message
	maxCount int
	maxBytes int
	metrics  *metrics.Metrics
	overflow func() // called once when an event is lost; must not block
	schedule func() // has the queue written; must not block

	mu        sync.Mutex
	scheduled bool // the writer has not called rest since; also before the first time
	woken     bool // by wake, since it was scheduled
	queue     []messages.Event
	bytes     int // of the queue
	quota     quota
	writing   int // bytes of the writer's batch, which count until its next call of take
	catching  bool
	missed    []messages.Event // events sent while catching up; they precede the queue
	spilled   bool
	done      bool // see End
	closeWith *dialect.Ending
	afterAck  *dialect.Ending // becomes closeWith with the next ack; nil: none does
}

func newOutbox(wants messages.Filter, l limits.Limits, m *metrics.Metrics, b *budget, holder string) *outbox {
	return &outbox{
		wants: wants, maxCount: l.OutboxEvents, maxBytes: l.OutboxBytes, metrics: m, overflow: func() {},
		scheduled: true, quota: quota{budget: b, holder: holder},
	}
}

// Wants returns the kinds that the session's request asked for.
func (o *outbox) Wants() messages.Filter { return o.wants }

// Send queues an event.
func (o *outbox) Send(e messages.Event) {
	if e.Kind != messages.KindAudioAck && !o.values { // an ack is recycled
		e.Message = nil // the dialect writes its text
	}
	o.mu.Lock()
	spill := o.put(&e)
	if e.Kind == messages.KindAudioAck && o.afterAck != nil && o.closeWith == nil {
		o.closeWith = o.afterAck
	}
	idle := o.request()
	o.mu.Unlock()
	if spill {
		o.overflow()
	}
	if idle {
		o.schedule()
	}
}

// Recycles marks the outbox as a [session.RecyclingSink]: the writer recycles events.
func (o *outbox) Recycles() {}

// End records that the session is done: no event follows. It may be called again.
func (o *outbox) End() {
	o.mu.Lock()
	o.done = true
	o.mu.Unlock()
	o.wake()
}

// put queues an event and reports whether that made the outbox spill. It is called with mu held.
func (o *outbox) put(e *messages.Event) (spill bool) {
	switch {
	case o.spilled || o.closeWith != nil:
		o.metrics.Drop(metrics.DropLate)
		return false
	case o.catching && o.quota.hold(len(e.Body)):
		o.missed = append(o.missed, *e)
		return false
	case o.catching:
		return o.noRoom(e)
	case e.Kind == messages.KindPartial && o.replace(e):
		return false
	case len(o.queue) < o.maxCount && o.bytes+len(e.Body) <= o.maxBytes:
		if !o.quota.hold(len(e.Body)) {
			return o.noRoom(e)
		}
		o.queue = append(o.queue, *e)
		o.bytes += len(e.Body)
		return false
	case e.Kind == messages.KindPartial:
		o.metrics.Drop(metrics.DropPartialFull)
		return false
	}
	return o.spill(metrics.DropOverflow)
}

// noRoom drops an event that the budget of all sockets has no room for.
func (o *outbox) noRoom(e *messages.Event) (spill bool) {
	if e.Kind == messages.KindPartial {
		o.metrics.Drop(metrics.DropPartialFull)
		return false
	}
	return o.spill(metrics.DropOverload)
}

// spill records that an event was dropped that must not be lost.
func (o *outbox) spill(reason string) bool {
	o.metrics.Drop(reason)
	o.spilled = true
	return true
}

// replace replaces an older partial of the same utterance.
func (o *outbox) replace(e *messages.Event) bool {
	for i := len(o.queue) - 1; i >= 0; i-- {
		if q := &o.queue[i]; q.Kind == messages.KindPartial && q.Key == e.Key {
			o.quota.held += len(e.Body) - len(q.Body) // little: the next hold or release counts it
			o.bytes += len(e.Body) - len(q.Body)
			*q = *e
			o.metrics.Drop(metrics.DropPartialReplaced)
			return true
		}
	}
	return false
}

// catchUp is called before and after the session sends the events that the client has missed.
func (o *outbox) catchUp(on bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.catching = on
}

// end asks the writer to close the socket once it has written the queue. Only the first call
// counts.
func (o *outbox) end(e dialect.Ending) {
	o.mu.Lock()
	if o.closeWith == nil {
		o.closeWith = &e
	}
	o.mu.Unlock()
	o.wake()
}

// endAfterAck is end once the next ack is queued.
func (o *outbox) endAfterAck(e dialect.Ending) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.afterAck = &e
}

// wake has the writer check the outbox.
func (o *outbox) wake() {
	o.mu.Lock()
	idle := o.request()
	o.mu.Unlock()
	if idle {
		o.schedule()
	}
}

// request reports whether the caller must schedule the outbox. If it is scheduled already, the
// writer checks it again. It is called with mu held.
func (o *outbox) request() bool {
	if o.scheduled {
		o.woken = true
		return false
	}
	o.scheduled = true
	return true
}

// rest is called by the writer when it has written its batch. It reports whether nothing was added
// since.
func (o *outbox) rest() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.woken {
		o.woken = false
		return false
	}
	o.scheduled = false
	return true
}

// take moves the queue to batch and returns how to close the socket after that, nil if it stays
// open, and whether the session is done. The events of the previous call count as written.
func (o *outbox) take(batch []messages.Event) (all []messages.Event, closeWith *dialect.Ending, done bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.quota.release(o.writing)
	o.writing = o.quota.held
	batch = append(batch, o.missed...)
	batch = append(batch, o.queue...)
	clear(o.queue)
	o.missed, o.queue, o.bytes = nil, o.queue[:0], 0
	return batch, o.closeWith, o.done
}

// drop empties the outbox. Later events are dropped.
func (o *outbox) drop() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.quota.release(o.quota.held)
	o.missed, o.queue, o.bytes, o.writing, o.spilled = nil, nil, 0, 0, true
}

package client

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"steno/gateway/dialect"
	"steno/messages"
	"steno/session"
	"steno/session/panics"
	"steno/session/store"
)

const (
	// eventConfirmEvery is how often, on average, pings ask at most for what was received, where
	// that has events of the log.
	eventConfirmEvery = 250 * time.Millisecond
	// ackConfirmEvery is the same for acks alone, which are not sent again.
	ackConfirmEvery = time.Second
	confirmSlack    = 60 * time.Millisecond // by which such a ping comes earlier or later to go with a message
	urgentAgain     = 20 * time.Millisecond // after which an urgent ping is tried again
	lastPong        = 5 * time.Second       // waited for the confirmation of everything before closing
	closeTimeout    = 5 * time.Second       // for a client to answer the close of its connection
)

// writer writes the events of one socket. The write queue has it write what the connection takes at
// once; for what has to be waited for it starts a goroutine, which ends when all is written. One of
// the two works at a time, see outbox.rest.
type writer struct {
	client *Client
	since  atomic.Int64 // since when something that may be waited for is written, ns; 0: nothing is
	pings  pings

	mu    sync.Mutex       // held by the one that works, and by stop
	batch []messages.Event // taken from the outbox and not written yet
	sent  mark             // so far

	encoder dialect.Encoder
	emit    func(text []byte) // add
	texts   [][]byte          // the messages that the first event of the batch is
	encoded bool              // they are complete
	wrote   int               // how many of them were written

	ended bool        // nothing is written any more
	timer *time.Timer // wakes the writer; nil before the first time
	rings time.Time   // when it does so; past: it does not
}

// state is what a round of writing comes to.
type state int

const (
	written state = iota // all that was there
	more                 // what was taken; there may be more
	waits                // the rest has to be waited for
	closed               // the connection is closed, or takes nothing any more
)

// serve writes what the connection takes without waiting. It is called by the write queue. Its only
// error is a panic.
func (w *writer) serve() (err error) {
	defer panics.To(&err)
	w.work(false)
	return nil
}

// wait writes everything. It is called by the goroutine for what has to be waited for.
func (w *writer) wait() { w.work(true) }

// work writes what the outbox has until that is empty or has to be waited for.
func (w *writer) work(mayWait bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	whole := false
	defer func() {
		if !whole { // a panic
			w.end()
		}
	}()
	w.rounds(mayWait)
	whole = true
}

// rounds is work with mu held.
func (w *writer) rounds(mayWait bool) {
	for !w.ended {
		switch w.round(mayWait) {
		case closed:
			w.end()
		case waits:
			w.client.helpers.Go(func() { w.client.guard(w.wait) })
			return
		case written:
			if w.client.out.rest() {
				return
			}
		}
	}
}

// round writes what is in the outbox now, and sees to pings and to the end of the connection.
func (w *writer) round(mayWait bool) state {
	var closeWith *dialect.Ending
	over, rest := false, len(w.batch) > 0
	if !rest {
		w.batch, closeWith, over = w.client.out.take(w.batch)
	}
	some := len(w.batch) > 0
	if s := w.writeAll(mayWait); s != written || rest {
		if s == written {
			s = more
		}
		return s
	}
	switch {
	case closeWith == nil && !over:
		return w.confirm(mayWait)
	case !mayWait:
		return waits
	case closeWith != nil:
		if closeWith.Why == dialect.Resume {
			w.pings.await(w.sent, lastPong)
		}
		w.close(*closeWith)
	case some:
		return more
	default:
		w.finish()
	}
	return closed
}

// writeAll writes the batch and notes what it says.
func (w *writer) writeAll(mayWait bool) state {
	n, s := 0, written
	for ; n < len(w.batch) && s == written; n++ {
		if s = w.writeEvent(&w.batch[n], n == len(w.batch)-1, mayWait); s != written {
			break
		}
	}
	rest := copy(w.batch, w.batch[n:])
	clear(w.batch[rest:])
	w.batch = w.batch[:rest]
	if s == written && !mayWait && w.client.conn.Behind() {
		return waits
	}
	return s
}

// writeEvent writes the messages that an event is, those that are left of it where it has begun,
// with a ping after the last event of a batch. It continues later where it returns waits.
func (w *writer) writeEvent(e *messages.Event, last, mayWait bool) state {
	if !w.encoded {
		w.encoder.Event(e, w.emit)
		w.encoded = true
	}
	next := w.sent
	if e.Seq > 0 {
		next.seq = e.Seq
	}
	if e.Kind == messages.KindAudioAck {
		next.boundary = max(next.boundary, e.Acked)
	}
	w.pings.urgent = w.pings.urgent || w.urgent(e)
	for ; w.wrote < len(w.texts); w.wrote++ {
		if last && w.wrote == len(w.texts)-1 {
			w.pings.behind(next)
		}
		if s := w.writeText(w.texts[w.wrote], mayWait); s != written {
			return s
		}
	}
	clear(w.texts)
	w.texts, w.wrote, w.encoded = w.texts[:0], 0, false
	w.sent = next
	w.note(e)
	session.Recycle(e)
	return written
}

// add takes a message of an event.
func (w *writer) add(text []byte) { w.texts = append(w.texts, text) }

// urgent reports whether the receipt of an event is to be confirmed as soon as it can be: that of a
// final, which clients would take for another one on their next socket, and that of an ack where
// audio cannot tell which one a client has seen.
func (w *writer) urgent(e *messages.Event) bool {
	return e.Kind == messages.KindFinal || e.Kind == messages.KindAudioAck && w.client.repeats.Load()
}

// note counts an event that was written.
func (w *writer) note(e *messages.Event) {
	m := w.client.all.cfg.Metrics
	switch {
	case e.Kind == messages.KindAudioAck:
		m.Acks.Inc()
		return
	case e.Kind.Internal():
		return
	}
	w.client.seat.Sent(e)
}

// writeText writes a message, or nothing of it where it returns waits.
func (w *writer) writeText(text []byte, mayWait bool) state {
	var err error
	if done := false; !mayWait {
		if done, err = w.client.conn.TryText(text); !done {
			return waits
		}
	} else {
		err = w.stalling(func() error { return w.client.conn.WriteText(text) })
	}
	if err != nil {
		w.client.Cut()
		return closed
	}
	return written
}

// stalling does something for which the client may have to be waited for.
func (w *writer) stalling(write func() error) error {
	w.since.Store(time.Now().UnixNano())
	defer w.since.Store(0)
	return write()
}

// confirm sends a ping if that is due beside any message, and else sees to it that the writer comes
// back when it is.
func (w *writer) confirm(mayWait bool) state {
	if mayWait { // else nothing is left, see writeAll
		if w.stalling(w.client.conn.CatchUp) != nil {
			w.client.Cut()
			return closed
		}
	}
	left := w.pings.due(w.sent)
	if left <= 0 {
		if !mayWait {
			return waits
		}
		_ = w.stalling(func() error { return w.pings.send(w.sent) }) // the reader finds a connection that is broken
		left = w.pings.due(w.sent)
	}
	w.wake(left)
	return written
}

// wake has the writer come back after a time, unless it does so before.
func (w *writer) wake(after time.Duration) {
	now := time.Now()
	if at := now.Add(after); w.rings.After(now) && !at.Before(w.rings) {
		return
	}
	w.rings = now.Add(after)
	if w.timer == nil {
		w.timer = time.AfterFunc(after, w.client.out.wake)
		return
	}
	w.timer.Reset(after)
}

// stop has nothing written any more. It is called when the connection is closed.
func (w *writer) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.end()
}

// end is stop with mu held.
func (w *writer) end() {
	if w.ended {
		return
	}
	w.ended, w.batch = true, nil
	if w.timer != nil {
		w.timer.Stop()
	}
	close(w.client.written)
}

// finish closes the socket of a session that has ended. If the client confirms everything, its
// token is dead.
func (w *writer) finish() {
	if !w.client.ledger.Finished() {
		w.close(dialect.Ending{Why: w.unfinished()})
		return
	}
	if w.client.terms.Once || w.pings.await(w.sent, lastPong) {
		w.client.seat.Delivered.Store(true)
	}
	if f, ok := errors.AsType[*session.Failure](w.client.session.Err()); ok && errors.Is(f, session.ErrFormat) {
		w.close(dialect.Ending{Why: dialect.Format, Detail: f.Message})
		return
	}
	w.close(dialect.Ending{Why: dialect.Finished})
}

// unfinished returns how to close the socket of a session that has ended without an outcome.
func (w *writer) unfinished() dialect.Why {
	if cause := w.client.ledger.Cause(); cause != nil {
		return EndOfLoss(cause)
	}
	return dialect.Internal
}

// close closes the connection, as that of a deleted session if the record is gone.
func (w *writer) close(e dialect.Ending) {
	w.client.closing.Store(true)
	if w.client.seat.Deleted.Load() || errors.Is(w.client.ledger.Cause(), store.ErrNotFound) {
		e = dialect.Ending{Why: dialect.Deleted}
	}
	w.client.all.Close(w.client.conn, w.encoder, e, closeTimeout)
}

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
	// eventConfirmEvery is the least average interval between pings that confirm logged events.
	eventConfirmEvery = 250 * time.Millisecond
	// ackConfirmEvery is the same for acks alone, which are not sent again.
	ackConfirmEvery = time.Second
	confirmSlack    = 60 * time.Millisecond // a ping may be early or late by this to go with a message
	urgentAgain     = 20 * time.Millisecond // before an urgent ping is tried again
	lastPong        = 5 * time.Second       // wait for the last pong before closing
	closeTimeout    = 5 * time.Second       // wait for the answer to a close frame
)

// writer writes the events of one socket. The write queue calls serve, which writes what the
// connection accepts without blocking. If the client must be waited for, serve starts a goroutine,
// which returns once everything is written. Only one of the two works at a time, see outbox.rest.
type writer struct {
	client *Client
	since  atomic.Int64 // start of a write that may block, ns; 0: none
	pings  pings

	mu    sync.Mutex       // held while working, and by stop
	batch []messages.Event // removed from the outbox and not written yet
	sent  mark             // written so far

	encoder dialect.Encoder
	emit    func(text []byte) // add
	texts   [][]byte          // messages of the first event of the batch
	encoded bool              // they are complete
	wrote   int               // how many of them were written

	ended bool        // no more is written
	timer *time.Timer // wakes the writer; nil before its first use
	rings time.Time   // when the timer fires; in the past: it does not
}

// state is the result of a round of writing.
type state int

const (
	written state = iota // everything
	more                 // the batch; there may be more
	waits                // the rest would block
	closed               // the connection is closed or accepts no bytes
)

// serve writes without blocking. It is called by the write queue. Its only error is a panic.
func (w *writer) serve() (err error) {
	defer panics.To(&err)
	w.work(false)
	return nil
}

// wait writes everything, blocking. It is called by a goroutine of its own.
func (w *writer) wait() { w.work(true) }

// work writes the outbox until it is empty or, unless mayWait is set, a write would block.
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

// round writes what is in the outbox now, and handles pings and the end of the connection.
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

// writeAll writes the batch.
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
	if s == written && !mayWait && w.client.conn.HasRest() {
		return waits
	}
	return s
}

// writeEvent writes the remaining messages of an event, with a ping after the last event of a
// batch. If it returns waits it must be called again.
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
			w.pings.follow(next)
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

// add appends a message of the current event.
func (w *writer) add(text []byte) { w.texts = append(w.texts, text) }

// urgent reports whether the receipt of an event must be confirmed as soon as possible. That holds
// for finals, which clients would take for new ones on their next socket, and for acks if the audio
// cannot show which one a client has seen.
func (w *writer) urgent(e *messages.Event) bool {
	return e.Kind == messages.KindFinal || e.Kind == messages.KindAudioAck && w.client.repeats.Load()
}

// note counts a written event.
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

// writeText writes a message. If it returns waits it has written none of it.
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

// stalling calls write, which may block on the client, and records since when.
func (w *writer) stalling(write func() error) error {
	w.since.Store(time.Now().UnixNano())
	defer w.since.Store(0)
	return write()
}

// confirm sends a ping if one is due without a message, and sets the timer for the next one.
func (w *writer) confirm(mayWait bool) state {
	if mayWait { // else everything is flushed, see writeAll
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
		_ = w.stalling(func() error { return w.pings.send(w.sent) }) // the reader notices a broken connection
		left = w.pings.due(w.sent)
	}
	w.wake(left)
	return written
}

// wake calls the writer again after a time at the latest.
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

// stop ends the writer. It is called when the connection is closed.
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

// finish closes the socket of a session that is done. If the client confirms everything, its token
// expires.
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
	if text := w.client.seat.Exhausted.Load(); text != nil {
		w.close(dialect.Ending{Why: dialect.Exhausted, Detail: *text})
		return
	}
	w.close(dialect.Ending{Why: dialect.Finished})
}

// unfinished returns how to close the socket of a session that is done without an outcome.
func (w *writer) unfinished() dialect.Why {
	if cause := w.client.ledger.Cause(); cause != nil {
		return EndOfLoss(cause)
	}
	return dialect.Internal
}

// close closes the connection; if the session's record was deleted, with that reason.
func (w *writer) close(e dialect.Ending) {
	w.client.closing.Store(true)
	if w.client.seat.Deleted.Load() || errors.Is(w.client.ledger.Cause(), store.ErrNotFound) {
		e = dialect.Ending{Why: dialect.Deleted}
	}
	w.client.all.Close(w.client.conn, w.encoder, e, closeTimeout)
}

package live

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"steno/messages"
	"steno/session"
	"steno/session/store"
)

const (
	confirmEvery = 250 * time.Millisecond // at most so often a ping asks for what was received
	lastPong     = 5 * time.Second        // waited for the confirmation of everything before closing
)

// mark is what a client has received once it answers a ping.
type mark struct {
	boundary int64 // bytes of audio acknowledged
	seq      int64 // number of the last logged event
}

// writer writes the events of one socket. It is used by one goroutine, except for the atomics; each ping waits for its pong on
// a goroutine of its own.
type writer struct {
	socket   *socket
	sent     mark // so far
	asked    mark // before the last ping
	lastPing time.Time

	since   atomic.Int64 // since when one write lasts, ns; 0: none is under way
	pinging atomic.Int64 // since when one pong is awaited, ns; 0: none is
}

// write writes the events of the outbox until the socket is to be closed or the reader has ended. Frames keep their order, so a
// pong confirms everything written before its ping.
func (w *writer) write() {
	w.lastPing = time.Now()
	timer := time.NewTimer(w.socket.sessions.cfg.Limits.Ping)
	defer timer.Stop()
	defer close(w.socket.written)
	var batch []messages.Event
	for {
		over := isClosed(w.socket.session.Done()) // looked at first: what was emitted before is in the outbox
		var closeWith *messages.Close
		batch, closeWith = w.socket.out.take(batch[:0])
		if !w.writeAll(batch) {
			w.socket.cut()
			return
		}
		switch {
		case closeWith != nil:
			w.close(*closeWith)
			return
		case over && len(batch) > 0:
			continue
		case over:
			w.finish()
			return
		}
		clear(batch)
		timer.Reset(w.nextPing())
		select {
		case <-w.socket.out.wake:
		case <-w.socket.session.Done():
		case <-timer.C:
		case <-w.socket.gone:
			return
		}
	}
}

// writeAll writes events and notes what they confirm to the client. It reports whether the connection still takes any.
func (w *writer) writeAll(batch []messages.Event) bool {
	for i := range batch {
		e := &batch[i]
		w.since.Store(time.Now().UnixNano())
		err := w.socket.conn.Write(unbounded, websocket.MessageText, e.Body)
		w.since.Store(0)
		if err != nil {
			return false
		}
		measureSent(w.socket.sessions.cfg.Metrics, e)
		if e.Seq > 0 {
			w.sent.seq = e.Seq
		}
		if e.Kind == messages.KindAudioAck {
			w.socket.sessions.cfg.Metrics.Acks.Inc()
			w.sent.boundary = max(w.sent.boundary, e.Acked)
		}
	}
	return true
}

// finish closes the socket of a session that has ended. If the client confirms everything, its token is dead.
func (w *writer) finish() {
	if !w.socket.ledger.finished.Load() {
		w.close(w.unfinished())
		return
	}
	ctx, cancel := context.WithTimeout(w.socket.sessions.life, lastPong)
	defer cancel()
	if w.socket.conn.Ping(ctx) == nil {
		w.confirm(w.sent)
		w.socket.entry.delivered.Store(true)
	}
	if errors.Is(w.socket.session.Err(), session.ErrFormat) {
		w.close(messages.CloseFormat)
		return
	}
	w.close(messages.CloseFinished)
}

// unfinished returns how to close the socket of a session that has ended without an outcome.
func (w *writer) unfinished() messages.Close {
	if cause := w.socket.ledger.Cause(); cause != nil {
		return closeOfLoss(cause)
	}
	return messages.CloseInternal
}

// close closes the socket with a code, or with that of a deleted session if the record is gone.
func (w *writer) close(c messages.Close) {
	w.socket.closing.Store(true)
	if w.socket.entry.isDeleted() || errors.Is(w.socket.ledger.Cause(), store.ErrNotFound) {
		c = messages.CloseDeleted
	}
	limitFarewell(w.socket.below, farewellWait)
	closeConn(w.socket.sessions.cfg.Metrics, w.socket.conn, c)
}

// confirm stores what the client has received. If that fails, it is sent again on the next socket.
func (w *writer) confirm(m mark) {
	err := w.socket.ledger.Confirm(w.socket.sessions.life, m.boundary, m.seq)
	if w.socket.faulty(err) && !errors.Is(err, store.ErrLost) { // the session was given up
		w.socket.sessions.cfg.Log.Error().Str("session", w.socket.entry.id).Err(err).Msg("confirmation not kept")
	}
}

// nextPing pings if that is due, and returns when to look again. It does not ping within a message of the client: some clients
// read nothing until they have sent it.
func (w *writer) nextPing() time.Duration {
	limits := &w.socket.sessions.cfg.Limits
	if w.pinging.Load() > 0 {
		return limits.Ping // its pong wakes the writer
	}
	wait := limits.Ping
	if w.sent != w.asked {
		wait = confirmEvery
	}
	if left := wait - time.Since(w.lastPing); left > 0 {
		return left
	}
	if w.socket.reader.waits.within() {
		return confirmEvery
	}
	w.asked, w.lastPing = w.sent, time.Now()
	w.pinging.Store(w.lastPing.UnixNano())
	m := w.asked
	w.socket.helpers.Go(func() { w.socket.guard(func() { w.ping(m) }) })
	return limits.Ping
}

// ping waits for the client's pong, and stores what that confirms.
func (w *writer) ping(m mark) {
	err := w.socket.conn.Ping(unbounded)
	if err == nil && m != (mark{}) {
		w.confirm(m)
	}
	w.pinging.Store(0)
	w.socket.out.rouse()
}

package live

import (
	"errors"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"steno/messages"
	"steno/session"
	"steno/session/store"
)

const (
	confirmEvery = 250 * time.Millisecond // so often, on average, pings ask at most for what was received
	confirmSlack = 60 * time.Millisecond  // by which such a ping comes earlier or later to go with a message
	lastPong     = 5 * time.Second        // waited for the confirmation of everything before closing
)

// writer writes the events of one socket. It is used by one goroutine, except for the atomics.
type writer struct {
	socket *socket
	sent   mark // so far
	pings  pings

	since atomic.Int64 // since when one write lasts, ns; 0: none is under way
}

// write writes the events of the outbox until the socket is to be closed or the reader has ended.
func (w *writer) write() {
	w.pings.start()
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
		w.since.Store(time.Now().UnixNano())
		timer.Reset(w.pings.send(w.sent))
		w.since.Store(0)
		select {
		case <-w.socket.out.wake:
			runtime.Gosched() // after the readers that are ready: writes that follow each other at once wake other processes less often
		case <-w.socket.session.Done():
		case <-timer.C:
		case <-w.socket.gone:
			return
		}
	}
}

// writeAll writes events and notes what they say. It reports whether the connection still takes any.
func (w *writer) writeAll(batch []messages.Event) bool {
	for i := range batch {
		e := &batch[i]
		if e.Seq > 0 {
			w.sent.seq = e.Seq
		}
		if e.Kind == messages.KindAudioAck {
			w.socket.sessions.cfg.Metrics.Acks.Inc()
			w.sent.boundary = max(w.sent.boundary, e.Acked)
		}
		if i == len(batch)-1 {
			w.pings.behind(w.sent)
		}
		w.since.Store(time.Now().UnixNano())
		err := w.writeText(e.Body)
		w.since.Store(0)
		if err != nil {
			return false
		}
		measureSent(w.socket.sessions.cfg.Metrics, &w.socket.entry.glance.stages, e)
	}
	return true
}

func (w *writer) writeText(text []byte) error {
	if done, err := w.socket.wire.WriteText(text); done {
		return err
	}
	return w.socket.conn.Write(unbounded, websocket.MessageText, text)
}

// finish closes the socket of a session that has ended. If the client confirms everything, its token is dead.
func (w *writer) finish() {
	if !w.socket.ledger.finished.Load() {
		w.close(w.unfinished())
		return
	}
	if w.pings.await(w.sent, lastPong) {
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

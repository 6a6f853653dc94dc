package gateway

import (
	"context"
	"errors"
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

// mark is what the client has seen once it answers a ping.
type mark struct {
	boundary int64 // acknowledged, in bytes
	seq      int64 // number of the last logged event
}

// write takes events from the outbox and writes them until the socket is to be closed or the reader is gone. Frames
// keep their order, so a pong confirms all that was written before its ping.
func (k *socket) write() {
	p := pinger{socket: k, last: time.Now()}
	timer := time.NewTimer(k.server.cfg.Limits.Ping)
	defer timer.Stop()
	defer close(k.shut)
	var batch []messages.Event
	for {
		over := isClosed(k.session.Done()) // looked at first: what was emitted before is in the outbox
		var closeWith *messages.Close
		batch, closeWith = k.out.take(batch[:0])
		if !k.writeAll(batch, &p.sent) {
			k.cut()
			return
		}
		switch {
		case closeWith != nil:
			k.close(*closeWith)
			return
		case over && len(batch) > 0:
			continue
		case over:
			k.finish(p.sent)
			return
		}
		clear(batch)
		timer.Reset(p.next())
		select {
		case <-k.out.wake:
		case <-k.session.Done():
		case <-timer.C:
		case <-k.gone:
			return
		}
	}
}

// writeAll writes events and notes what they tell the client. It tells whether the connection still takes any.
func (k *socket) writeAll(batch []messages.Event, sent *mark) bool {
	for i := range batch {
		e := &batch[i]
		k.writing.Store(time.Now().UnixNano())
		err := k.conn.Write(unbounded, websocket.MessageText, e.Body)
		k.writing.Store(0)
		if err != nil {
			return false
		}
		if e.Seq > 0 {
			sent.seq = e.Seq
		}
		if e.Kind == messages.KindAudioAck {
			k.server.metrics.Acks.Inc()
			sent.boundary = max(sent.boundary, e.Acked)
		}
	}
	return true
}

// finish closes the socket of a session that has ended. Where the client has confirmed everything, its token is dead.
func (k *socket) finish(sent mark) {
	if !k.ledger.finished.Load() {
		k.close(messages.CloseInternal)
		return
	}
	ctx, cancel := context.WithTimeout(k.server.life, lastPong)
	defer cancel()
	if k.conn.Ping(ctx) == nil {
		k.confirm(sent)
		k.entry.delivered.Store(true)
	}
	if errors.Is(k.session.Err(), session.ErrFormat) {
		k.close(messages.CloseFormat)
		return
	}
	k.close(messages.CloseFinished)
}

// close says good-bye, with the reason that counts where the session's record is gone.
func (k *socket) close(c messages.Close) {
	k.closing.Store(true)
	if k.entry.isDeleted() || errors.Is(k.session.Err(), store.ErrNotFound) {
		c = messages.CloseDeleted
	}
	limitFarewell(k.control, farewellWait)
	k.server.closeConn(k.conn, c)
}

// confirm remembers what the client has seen. Where that fails, it is sent again on the next socket.
func (k *socket) confirm(m mark) {
	err := k.ledger.Confirm(k.server.life, m.boundary, m.seq)
	if err != nil && k.server.life.Err() == nil && !k.entry.isDeleted() && !errors.Is(err, store.ErrNotFound) {
		k.server.log.Error().Str("session", k.entry.id).Err(err).Msg("confirmation not kept")
	}
}

// pinger decides when to ping. It is the writer's; one ping at a time waits for its pong on a goroutine of its own.
type pinger struct {
	socket *socket
	sent   mark // by now
	asked  mark // before the last ping
	last   time.Time
}

// next pings if that is due and tells when to look again. While a message of the client's is under way it is not asked:
// some clients read nothing more until they could answer.
func (p *pinger) next() time.Duration {
	limits := &p.socket.server.cfg.Limits
	if p.socket.pinging.Load() > 0 {
		return limits.Ping // its pong wakes the writer
	}
	wait := limits.Ping
	if p.sent != p.asked {
		wait = confirmEvery
	}
	if left := wait - time.Since(p.last); left > 0 {
		return left
	}
	if p.socket.reading.within() {
		return confirmEvery
	}
	p.asked, p.last = p.sent, time.Now()
	p.socket.pinging.Store(p.last.UnixNano())
	m := p.asked
	p.socket.helpers.Go(func() { p.socket.guard(func() { p.socket.ping(m) }) })
	return limits.Ping
}

// ping asks the client for a pong, and keeps what that confirms.
func (k *socket) ping(m mark) {
	err := k.conn.Ping(unbounded)
	if err == nil && m != (mark{}) {
		k.confirm(m)
	}
	k.pinging.Store(0)
	k.out.rouse()
}

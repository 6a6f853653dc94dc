package live

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"steno/gateway/metrics"
	"steno/gateway/recovery"
	"steno/gateway/wsconn"
	"steno/messages"
	"steno/session"
	"steno/session/panics"
)

// unbounded is the context of writes to the session, which are ended from outside: the session is abandoned.
var unbounded = context.Background()

// socket is one WebSocket of a session. Its reader takes audio to the session through the intake, by way of a read queue where messages
// are left to gather; its writer sends the events of the outbox, by way of a write queue.
type socket struct {
	sessions *Sessions
	entry    *entry
	conn     *wsconn.Conn
	order    int64 // in which sockets came
	out      *outbox
	session  *session.Session // nil until attached
	ledger   *ledger          // nil until attached
	intake   intake
	reader   reader
	writer   writer
	reads    *readQueue
	writes   *writeQueue
	request  string         // id of the one that opened it
	over     func()         // called when all is over
	helpers  sync.WaitGroup // goroutines of the writer and the cut
	resumes  bool           // the client is sent acks, so it goes on at one of them; else at the beginning
	offset   int64          // where it says that it goes on, see offsetOf

	repeats  atomic.Bool   // audio before the last ack equals that before the one before it
	closing  atomic.Bool   // the server has begun to close it
	stopping atomic.Bool   // the idle limit was reached
	cutting  atomic.Bool   // the connection is being closed
	gone     chan struct{} // closed when the reader has ended
	written  chan struct{} // closed when nothing is written any more
}

// newSocket returns a socket for a session's entry.
func newSocket(e *entry, o opening) *socket {
	s := e.sessions
	k := &socket{
		sessions: s, entry: e, conn: o.conn, order: o.order, resumes: e.record.Socket.Has(messages.KindAudioAck),
		request: o.request, offset: o.offset, out: newOutbox(e.record.Socket, s.cfg.Limits, s.cfg.Metrics, s.eventBytes, recordHolder(e.record)),
		gone: make(chan struct{}), written: make(chan struct{}),
	}
	queues := s.queues[uint64(k.order)%uint64(len(s.queues))]
	k.reads, k.writes = queues.reads, queues.writes
	k.out.overflow, k.out.schedule, k.out.python = k.cut, func() { k.writes.add(k) }, o.python
	k.intake.socket, k.intake.pace = k, e.pace
	k.intake.acks.wanted = k.resumes || e.record.Callback.Has(messages.KindAudioAck)
	k.reader.socket, k.reader.intake, k.reader.buf = k, &k.intake, nil
	k.writer.socket, k.writer.pings.socket = k, k
	k.conn.OnPong(k.writer.pings.pong)
	k.conn.Ready()
	return k
}

// begin takes the session up: it finds out where the client may go on, and queues everything that the client has not
// confirmed. It is called by attach.
func (k *socket) begin(ctx context.Context, open *session.Session, l *ledger) error {
	k.session, k.ledger = open, l
	k.intake.session, k.intake.ledger, k.intake.acks.session = open, l, open
	marks, err := l.Marks(ctx)
	if err != nil {
		return err
	}
	if encoding := k.entry.container; encoding != "" { // each socket begins a new container, so the client repeats no audio
		k.intake.container = newContainer(&k.intake, encoding)
	} else {
		k.resume(l, marks)
	}
	k.out.catchUp(true)
	defer k.out.catchUp(false)
	if err := open.Attach(ctx, k.out, marks.Seq); err != nil {
		return err
	}
	if isClosed(open.Done()) { // before it knew of the outbox
		k.out.End()
	}
	k.intake.watchPauses(k.entry.pause)
	return nil
}

// start begins to serve the attached socket. over is called when it is over.
func (k *socket) start(over func()) {
	k.over = over
	k.sessions.sockets.Add(1)
	k.writer.pings.start()
	k.out.schedule()
	go k.run()
}

// run reads on a goroutine of the socket's own, until messages are left to gather: then the read queue has the socket, and run is called
// again when it needs a goroutine. Else it ends the socket.
func (k *socket) run() {
	queued := false
	k.sessions.cfg.Recoverer.Run(recovery.Socket, k.request, func() { queued = k.read() })
	if !queued {
		k.sessions.sockets.Add(-1)
		k.over()
	}
}

// read reads until messages are left to gather, and reports true when the read queue has the socket, or until the connection ends.
func (k *socket) read() (queued bool) {
	var pause time.Duration
	var err error
	k.guard(func() { pause, err = k.reader.read() })
	if pause > 0 {
		k.reads.add(k, pause)
		return true
	}
	k.end(err)
	return false
}

// gathered reads what has come while messages were left to gather. It is called by the read queue.
func (k *socket) gathered() {
	var pause time.Duration
	if err := panics.Try(func() { pause = k.reader.gathered() }); err != nil {
		k.reader.failed = true
		k.failed(err)
	}
	if pause > 0 {
		k.reads.add(k, pause)
		return
	}
	go k.run()
}

// end ends the socket, whose reader has ended with an error.
func (k *socket) end(err error) {
	defer k.out.drop()
	close(k.gone)
	replaced := k.intake.silence()
	closed, _ := errors.AsType[*wsconn.CloseError](err)
	if !replaced && !k.closing.Load() && closed != nil && (closed.Code == wsconn.CodeNormal || closed.Code == wsconn.CodeGoingAway) {
		k.intake.stopUnasked()
	}
	k.entry.detach(k)
	k.conn.Cut() // mostly closed already
	k.writer.stop()
	k.helpers.Wait()
}

// guard does some of the socket's work. A panic ends the recording as a failure, with what there is so far;
// the client comes back for that.
func (k *socket) guard(work func()) { k.failed(panics.Try(work)) }

// failed ends the recording because of a panic, nil for none.
func (k *socket) failed(err error) {
	if err == nil {
		return
	}
	k.cut()
	if !k.session.Break(err) { // else it is reported when the session has ended
		k.sessions.cfg.Recoverer.Report(recovery.Socket, k.entry.id, err)
	}
}

// stuck returns what the connection does not do any more, and the reason that metrics count it by; empty if all is well.
func (k *socket) stuck(now time.Time) (why, reason string) {
	limits := &k.sessions.cfg.Limits
	if since := k.writer.since.Load(); since > 0 && now.UnixNano()-since > int64(limits.WriteStall) {
		return "takes no bytes", metrics.DropStalled
	}
	if asked := k.writer.pings.since.Load(); asked > 0 && k.conn.Silent(now, time.Unix(0, asked)) > 2*limits.Ping {
		return "answers no ping", metrics.DropStalled
	}
	if k.conn.Stalled(now, limits.FrameStall, limits.FrameRate) {
		return "does not go on with a message", metrics.DropUnfinished
	}
	return "", ""
}

// fail gives the connection up for a reason that is not the client's, which comes back and goes on.
func (k *socket) fail(err error) {
	if k.faulty(err) {
		k.sessions.cfg.Log.Error().Str("session", k.entry.id).Err(err).Msg("socket given up")
	}
	switch {
	case k.ledger.Cause() != nil:
		k.out.end(closeOfLoss(k.ledger.Cause()))
	case isAway(err):
		k.out.end(messages.CloseAway)
	default:
		k.out.end(messages.CloseInternal)
	}
}

// faulty reports whether an error of the session is a fault: not the end of the server, of the record, of the claim or of the
// session in this process, nor an outage of the store.
func (k *socket) faulty(err error) bool {
	return err != nil && !errors.Is(err, session.ErrAbandoned) && k.sessions.life.Err() == nil && !k.entry.isDeleted() &&
		k.ledger.Cause() == nil && !isAway(err)
}

// leave has the writer close the socket, and cuts the connection of a client that does not take even that: the watchdog looks
// after attached sockets only. It is called while the socket is attached.
func (k *socket) leave(c messages.Close) {
	k.out.end(c)
	k.helpers.Go(func() {
		late := time.NewTimer(k.sessions.cfg.Limits.WriteStall)
		defer late.Stop()
		select {
		case <-k.written:
		case <-late.C:
			k.conn.Cut()
		}
	})
}

// cut closes the connection without a close frame, and does not wait for that. It is called while the socket is attached, or
// by one of its helpers.
func (k *socket) cut() {
	if !k.cutting.Swap(true) {
		k.helpers.Go(k.conn.Cut)
	}
}

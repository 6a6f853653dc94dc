package client

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"steno/gateway/dialect"
	"steno/gateway/metrics"
	"steno/gateway/recovery"
	"steno/gateway/wsconn"
	"steno/messages"
	"steno/session"
	"steno/session/panics"
	"steno/session/store"
)

// unbounded is the context of writes to the session. Abandoning the session ends them.
var unbounded = context.Background()

// Client is a connected client of a session. Its reader passes audio to the session through the
// intake; a read queue has the socket while messages accumulate. Its writer sends the events of the
// outbox, by way of a write queue.
type Client struct {
	all     *Clients
	seat    *Seat
	conn    *wsconn.Conn
	parser  dialect.Parser
	order   int64 // order of arrival
	terms   dialect.Terms
	updates []messages.Update // before the first byte
	out     *outbox
	session *session.Session // nil until attached
	ledger  Ledger           // nil until attached
	intake  intake
	reader  reader
	writer  writer
	reads   *readQueue
	writes  *writeQueue
	request string         // id of the one that opened the connection
	detach  func()         // called once the client neither sends nor receives
	over    func()         // called last
	helpers sync.WaitGroup // goroutines of the writer and the cut
	resumes bool           // the client is sent acks and continues at one of them; else at the beginning
	offset  int64          // where it continues, see dialect.Start

	repeats atomic.Bool   // the audio before the last two acks is the same
	closing atomic.Bool   // the server is closing the connection
	cutting atomic.Bool   // the connection is being cut
	gone    chan struct{} // closed when the reader is done
	written chan struct{} // closed when the writer is done
}

// Connection is the connection of a client that asks for a seat.
type Connection struct {
	Conn    *wsconn.Conn
	Request string // id of the request that opened it
	Order   int64  // order of arrival
	Offset  int64  // where the client continues, see dialect.Start
	Terms   dialect.Terms
	Updates []messages.Update // applied before its first audio
	First   *dialect.Message  // a message that was read already; nil: none
	Parser  dialect.Parser
	Encoder dialect.Encoder
}

// New returns the client of a connection that asks for a seat. The caller must call Attach, then
// Serve or Discard.
func (all *Clients) New(seat *Seat, c Connection) *Client {
	wants := cmp.Or(c.Terms.Wants, seat.Wants)
	k := &Client{
		all: all, seat: seat, conn: c.Conn, parser: c.Parser, order: c.Order, request: c.Request,
		resumes: wants.Has(messages.KindAudioAck), offset: c.Offset, terms: c.Terms, updates: c.Updates,
		out:  newOutbox(wants, all.cfg.Limits, all.cfg.Metrics, all.eventBytes, seat.Holder),
		gone: make(chan struct{}), written: make(chan struct{}),
	}
	queues := all.queues[uint64(k.order)%uint64(len(all.queues))]
	k.reads, k.writes = queues.reads, queues.writes
	k.out.overflow, k.out.schedule = k.Cut, func() { k.writes.add(k) }
	k.intake.client, k.intake.pace = k, seat.pace
	k.intake.acks.wanted = k.resumes || seat.ReportsAcks
	k.out.values = c.Terms.Wants != 0
	k.reader.client, k.reader.intake, k.reader.first = k, &k.intake, c.First
	k.reader.binaries, _ = c.Parser.(dialect.BinaryParser)
	k.reader.hearer, _ = c.Parser.(dialect.Hearer)
	k.writer.client, k.writer.pings.client, k.writer.encoder = k, k, c.Encoder
	k.writer.emit = k.writer.add
	k.conn.OnPong(k.writer.pings.pong)
	k.conn.Ready()
	return k
}

// Grace returns how long the session waits for the client after losing it; 0: for the resume
// window.
func (k *Client) Grace() time.Duration { return k.terms.Grace }

// Quiet reports whether the client has sent nothing for as long as its dialect allows.
func (k *Client) Quiet(now time.Time) bool { return k.terms.Idle > 0 && k.Idle(now) >= k.terms.Idle }

// Order returns the client's position in the order of arrival at the server.
func (k *Client) Order() int64 { return k.order }

// Attach attaches the client to an open session, prepares to find out where its audio continues,
// and queues every event that it has not confirmed.
func (k *Client) Attach(ctx context.Context, open Session) error {
	k.session, k.ledger = open.Session, open.Ledger
	k.intake.session, k.intake.ledger, k.intake.acks.session = open.Session, open.Ledger, open.Session
	marks, err := k.ledger.Marks(ctx)
	if err != nil {
		return err
	}
	if open.Container != "" { // each connection starts a new container, so no audio is repeated
		k.intake.container = newContainer(&k.intake, open.Container)
	} else if !k.terms.Once {
		k.resume(marks)
	}
	k.out.catchUp(true)
	defer k.out.catchUp(false)
	if err := k.session.Attach(ctx, k.out, marks.Seq); err != nil {
		return err
	}
	if isClosed(k.session.Done()) { // before the outbox was attached
		k.out.End()
	}
	k.intake.watchPauses(open.Pause)
	for _, u := range k.updates {
		k.intake.update(u)
	}
	return nil
}

// Discard drops what is queued for a client that was not attached, and waits for its goroutines.
func (k *Client) Discard() {
	k.out.drop()
	k.helpers.Wait() // it may have been cut already
}

// Detach detaches the client from its session.
func (k *Client) Detach() { k.session.Detach(k.out) }

// Silence ensures that the client passes neither audio nor acks to the session any more.
func (k *Client) Silence() { k.intake.silence() }

// End has the writer close the connection once it has written what is queued.
func (k *Client) End(why dialect.Why) { k.out.end(dialect.Ending{Why: why}) }

// HasLeft reports whether the client is known to be gone.
func (k *Client) HasLeft() bool { return k.conn.HasLeft() }

// Idle returns how long the client has sent nothing.
func (k *Client) Idle(now time.Time) time.Duration { return k.conn.Idle(now) }

// Serve starts to serve the attached client and returns. detach is called once the client neither
// sends nor receives, over when its goroutines are done.
func (k *Client) Serve(detach, over func()) {
	k.detach, k.over = detach, over
	k.all.served.Add(1)
	k.writer.pings.start()
	k.out.schedule()
	go k.run()
}

// run reads on the socket's own goroutine until the read queue has the socket, which calls run
// again when the reader must wait, or until the connection ends.
func (k *Client) run() {
	queued := false
	k.all.cfg.Recoverer.Run(recovery.Socket, k.request, func() { queued = k.read() })
	if !queued {
		k.all.served.Add(-1)
		k.over()
	}
}

// read reads until messages are to accumulate, then hands the socket to the read queue and returns
// true. At the end of the connection it ends the socket.
func (k *Client) read() (queued bool) {
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

// gathered reads the accumulated messages. It is called by the read queue.
func (k *Client) gathered() {
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

// end closes the socket after its reader has returned err.
func (k *Client) end(err error) {
	defer k.out.drop()
	if p, ok := k.parser.(dialect.Leaver); ok && !k.reader.failed {
		k.guard(func() { p.Leave(&k.reader) })
	}
	close(k.gone)
	replaced := k.intake.silence()
	closed, _ := errors.AsType[*wsconn.CloseError](err)
	if !replaced && !k.closing.Load() && closed != nil &&
		(k.terms.Once || closed.Code == wsconn.CodeNormal || closed.Code == wsconn.CodeGoingAway) {
		k.intake.stopUnasked()
	}
	k.detach()
	k.conn.Cut() // mostly closed already
	k.writer.stop()
	k.helpers.Wait()
}

// guard runs some of the socket's work. A panic ends the recording as a failure, with the result so
// far; the client reconnects to receive it.
func (k *Client) guard(work func()) { k.failed(panics.Try(work)) }

// failed ends the recording because of a panic, nil for none.
func (k *Client) failed(err error) {
	if err == nil {
		return
	}
	k.Cut()
	if !k.session.Break(err) { // else it is reported at the end of the session
		k.all.cfg.Recoverer.Report(recovery.Socket, k.seat.ID, err)
	}
}

// Stuck returns what the connection fails to do, and the reason under which metrics count it; empty
// if nothing is wrong.
func (k *Client) Stuck(now time.Time) (why, reason string) {
	limits := &k.all.cfg.Limits
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

// fail closes the connection for a reason that is not the client's. The client may reconnect and
// continue.
func (k *Client) fail(err error) {
	if k.faulty(err) {
		k.all.cfg.Log.Error().Str("session", k.seat.ID).Err(err).Msg("socket given up")
	}
	switch {
	case k.ledger.Cause() != nil:
		k.End(EndOfLoss(k.ledger.Cause()))
	case errors.Is(err, store.ErrAway):
		k.End(dialect.Away)
	default:
		k.End(dialect.Internal)
	}
}

// faulty reports whether an error of the session is a fault: not the end of the server, of the
// record, of the claim or of the session in this process, nor an outage of the store.
func (k *Client) faulty(err error) bool {
	return err != nil && !errors.Is(err, session.ErrAbandoned) && k.all.life.Err() == nil && !k.seat.Deleted.Load() &&
		k.ledger.Cause() == nil && !errors.Is(err, store.ErrAway)
}

// Leave has the writer close the socket, and cuts the connection if the client does not read even
// that: the watchdog watches attached sockets only. It is called while the socket is attached.
func (k *Client) Leave(why dialect.Why) {
	k.End(why)
	k.helpers.Go(func() {
		late := time.NewTimer(k.all.cfg.Limits.WriteStall)
		defer late.Stop()
		select {
		case <-k.written:
		case <-late.C:
			k.conn.Cut()
		}
	})
}

// Cut closes the connection without a close frame and without waiting. It is called while the
// socket is attached, or by one of its helpers.
func (k *Client) Cut() {
	if !k.cutting.Swap(true) {
		k.helpers.Go(k.conn.Cut)
	}
}

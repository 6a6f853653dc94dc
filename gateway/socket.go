package gateway

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"steno/gateway/metrics"
	"steno/gateway/recovery"
	"steno/gateway/resume"
	"steno/gateway/web"
	"steno/messages"
	"steno/session"
	"steno/session/store"
)

// unbounded is the context of reads and writes: the library does least for one that cannot end. They are ended from
// outside, by closing the connection.
var unbounded = context.Background()

// socket is one WebSocket of a session.
type socket struct {
	server  *Server
	entry   *entry
	conn    *websocket.Conn
	control *http.ResponseController // of the connection below conn
	turn    int64                    // in the order in which sockets came
	out     *outbox
	session *session.Session
	ledger  *ledger
	acks    acker
	helpers sync.WaitGroup // writer, ping, cut

	feed    sync.Mutex // held around each piece of audio
	silent  bool       // guarded by feed: replaced, feeds the session no more
	pause   pauseWatch
	matcher *resume.Matcher
	resumes bool          // the client is sent acks, so it goes on at one of them; else at the journal's end
	taken   time.Duration // new audio since the pace was last asked for

	buf     []byte // of the reader
	misuse  int    // messages not understood
	owing   bool   // audio of the running message was given on
	ackNow  bool   // the next ack goes out however little it tells
	stopped bool   // the client has asked for the end of the recording

	reading  reading
	writing  atomic.Int64 // since when one write lasts, ns; 0: none does
	pinging  atomic.Int64 // since when one pong is awaited, ns; 0: none is
	closing  atomic.Bool  // from here
	stopping atomic.Bool  // the idle limit was reached
	cutting  atomic.Bool
	gone     chan struct{} // closed when the reader has ended
	shut     chan struct{} // closed when the writer has ended
}

// upgradeOr takes WebSockets and passes other requests on.
func (s *Server) upgradeOr(next web.Handler) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if !strings.EqualFold(r.Header.Get("Upgrade"), "websocket") {
			return next(w, r)
		}
		if !s.handlers.Enter() {
			return web.Refuse(http.StatusServiceUnavailable, "shutting down", s.cfg.Limits.RetryAfter)
		}
		defer s.handlers.Leave()
		s.serveSocket(w, r)
		return nil
	}
}

// serveSocket accepts a WebSocket and stays with it to its end. What is wrong with the token is told by the close
// code: browsers cannot see a refused upgrade's status.
func (s *Server) serveSocket(w http.ResponseWriter, r *http.Request) {
	turn := s.turns.Add(1) // before the client learns that it is accepted, and may open the next one
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true})
	if err != nil {
		s.log.Info().Str("request_id", web.RequestID(r)).Err(err).Msg("upgrade refused")
		return
	}
	defer func() { _ = conn.CloseNow() }() // mostly closed already
	s.metrics.SocketsAccepted.Inc()
	s.metrics.SocketsOpen.Inc()
	defer s.metrics.SocketsOpen.Dec()
	conn.SetReadLimit(-1)
	e, err := s.sessions.byToken(s.life, r.URL.Query().Get("token"))
	if err == nil && e == nil {
		err = errDead
	}
	if err == nil {
		k := newSocket(s, e, conn, turn)
		k.out.python = speaksPython(r)
		k.control = http.NewResponseController(w)
		if err = e.attach(s.life, k); err == nil {
			k.run()
			k.out.drop()
			return
		}
		k.helpers.Wait() // it may have been cut already
		k.out.drop()
	}
	c := s.closeOf(err)
	if c == messages.CloseInternal {
		s.recoverer.Report(recovery.Socket, web.RequestID(r), err)
		s.log.Error().Str("request_id", web.RequestID(r)).Err(err).Msg("socket not attached")
	}
	limitFarewell(http.NewResponseController(w), turnAwayWait)
	s.closeConn(conn, c)
}

// closeOf is how a socket is closed that did not come to its session.
func (s *Server) closeOf(err error) messages.Close {
	switch {
	case errors.Is(err, errDead):
		return messages.CloseToken
	case errors.Is(err, errRevoked):
		return messages.CloseRevoked
	case errors.Is(err, errReplaced):
		return messages.CloseReplaced
	case errors.Is(err, store.ErrNotFound):
		return messages.CloseDeleted
	case errors.Is(err, errHalted) || s.halted.Load():
		return messages.CloseRestart
	}
	return messages.CloseInternal
}

// How long a client has to answer the close of its socket: one that is turned away, and one that was attached.
const (
	turnAwayWait = time.Second
	farewellWait = 5 * time.Second
)

// limitFarewell bounds how long the answer to a close is waited for, whatever the client sends instead.
func limitFarewell(control *http.ResponseController, wait time.Duration) {
	_ = control.SetReadDeadline(time.Now().Add(wait)) // where none can be set the connection is no real one
}

// closeConn says good-bye with a code, waits a short while for the answer and closes the connection.
func (s *Server) closeConn(conn *websocket.Conn, c messages.Close) {
	s.metrics.SocketCloses.WithLabelValues(strconv.Itoa(c.Code)).Inc()
	_ = conn.Close(websocket.StatusCode(c.Code), c.Reason) // a client that is gone cannot be told
}

func newSocket(s *Server, e *entry, conn *websocket.Conn, turn int64) *socket {
	k := &socket{
		server: s, entry: e, conn: conn, turn: turn, out: newOutbox(e.record.Socket, s.cfg.Limits, s.metrics, s.outRoom),
		buf: make([]byte, 0, firstBuffer), gone: make(chan struct{}), shut: make(chan struct{}),
	}
	k.out.overflow = k.cut
	k.resumes = e.record.Socket.Has(messages.KindAudioAck)
	k.acks.wanted = k.resumes || e.record.Callback.Has(messages.KindAudioAck)
	k.reading.await()
	return k
}

// begin takes the session up: where its client may go on, and everything the client has not confirmed. Called by
// attach.
func (k *socket) begin(ctx context.Context, open *session.Session, l *ledger) error {
	k.session, k.ledger, k.acks.session = open, l, open
	marks, err := l.Marks(ctx)
	if err != nil {
		return err
	}
	if k.resumes {
		journal := readerAt(func(p []byte, off int64) (int, error) { return l.ReadAudioAt(k.server.life, p, off) })
		m := resume.New(journal, l.AudioSize(), append(marks.Sent, marks.Boundary))
		if m.Open() {
			k.matcher = m
		}
	}
	k.out.catchUp(true)
	defer k.out.catchUp(false)
	if err := open.Attach(ctx, k.out, marks.Seq); err != nil {
		return err
	}
	k.watchPauses(k.entry.pause)
	return nil
}

// run serves the socket until it is closed.
func (k *socket) run() {
	k.helpers.Go(func() { k.guard(k.write) })
	var err error
	k.guard(func() { err = k.read() })
	close(k.gone)
	replaced := k.silence()
	code := websocket.CloseStatus(err)
	if !replaced && !k.closing.Load() && (code == websocket.StatusNormalClosure || code == websocket.StatusGoingAway) {
		k.stopUnheard()
	}
	k.entry.detach(k)
	k.out.rouse()
	_ = k.conn.CloseNow() // mostly closed already
	k.helpers.Wait()
}

// stopUnheard stops the session of a client that left on purpose.
func (k *socket) stopUnheard() {
	k.settleHeld()
	if err := k.session.Stop(k.server.life, false); err != nil && k.server.life.Err() == nil && !k.entry.isDeleted() {
		k.server.log.Error().Str("session", k.entry.id).Err(err).Msg("session not stopped")
	}
}

// silence makes sure that the socket gives the session no more audio nor acks. It tells whether it was silent before.
func (k *socket) silence() (before bool) {
	k.feed.Lock()
	before, k.silent = k.silent, true
	if k.pause.timer != nil {
		k.pause.timer.Stop()
	}
	k.feed.Unlock()
	k.acks.end()
	return before
}

// stuck tells what the connection does not do any more, and as what that counts; empty: all is well.
func (k *socket) stuck(now time.Time) (why, reason string) {
	limits := &k.server.cfg.Limits
	if since := k.writing.Load(); since > 0 && now.UnixNano()-since > int64(limits.WriteStall) {
		return "takes no bytes", metrics.DropStalled
	}
	if asked := k.pinging.Load(); asked > 0 && k.reading.silent(now, time.Unix(0, asked)) > 2*limits.Ping {
		return "answers no ping", metrics.DropStalled
	}
	if k.reading.stalled(now, limits) {
		return "does not go on with a message", metrics.DropUnfinished
	}
	return "", ""
}

// leave has the writer close the socket, and cuts the connection of a client that does not take even that: the watchdog looks
// after attached sockets alone. Called while the socket is attached.
func (k *socket) leave(c messages.Close) {
	k.out.end(c)
	k.helpers.Go(func() {
		late := time.NewTimer(k.server.cfg.Limits.WriteStall)
		defer late.Stop()
		select {
		case <-k.shut:
		case <-late.C:
			_ = k.conn.CloseNow() // its only error is that it was closed
		}
	})
}

// cut closes the connection without a word. It does not wait for that. Called while the socket is attached, or by one
// of its helpers.
func (k *socket) cut() {
	if !k.cutting.Swap(true) {
		k.helpers.Go(func() { _ = k.conn.CloseNow() }) // its only error is that it was closed
	}
}

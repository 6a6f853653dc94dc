package live

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/coder/websocket"

	"steno/gateway/metrics"
	"steno/gateway/recovery"
	"steno/gateway/web"
	"steno/messages"
	"steno/session/retry"
	"steno/session/store"
)

// How long a client has to answer the close of its socket: of one that is turned away, and of one that was attached.
const (
	turnAwayWait = time.Second
	farewellWait = 5 * time.Second
)

// maxAttempts bounds how often a socket that meets an entry while it is dropped looks for the next.
const maxAttempts = 3

// Upgrade returns a handler that serves WebSockets and passes all other requests to next.
func (s *Sessions) Upgrade(next web.Handler) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if !web.IsUpgrade(r) {
			return next(w, r)
		}
		if !s.cfg.InFlight.Enter() {
			return web.Refuse(http.StatusServiceUnavailable, "shutting down", s.cfg.Limits.RetryAfter)
		}
		defer s.cfg.InFlight.Leave()
		s.serveSocket(w, r)
		return nil
	}
}

// serveSocket accepts a WebSocket and serves it to its end. It tells what is wrong with the token by the close code: browsers
// do not show the status of a refused upgrade.
func (s *Sessions) serveSocket(w http.ResponseWriter, r *http.Request) {
	order := s.order.Add(1) // before the client learns that it is accepted, and may open the next one
	caught := web.ConnCatcher{ResponseWriter: w}
	conn, err := websocket.Accept(&caught, r, &websocket.AcceptOptions{InsecureSkipVerify: true})
	if err != nil {
		s.cfg.Log.Info().Str("request_id", web.RequestID(r)).Err(err).Msg("upgrade refused")
		return
	}
	defer func() { _ = conn.CloseNow() }() // mostly closed already
	m := s.cfg.Metrics
	m.SocketsAccepted.Inc()
	m.SocketsOpen.Inc()
	defer m.SocketsOpen.Dec()
	conn.SetReadLimit(-1)
	control := http.NewResponseController(w)
	err = s.serveSession(r, opening{conn, control, caught.Conn, order})
	if err == nil || errors.Is(err, errHungUp) {
		return
	}
	c := s.closeOf(err)
	if c == messages.CloseInternal {
		s.cfg.Recoverer.Report(recovery.Socket, web.RequestID(r), err)
		s.cfg.Log.Error().Str("request_id", web.RequestID(r)).Err(err).Msg("socket not attached")
	}
	limitFarewell(control, turnAwayWait)
	closeConn(m, conn, c)
}

// awayWait is how long a new socket waits for a store that is out of reach: many clients that are turned away come back at once,
// again and again. It is short, so that they soon come to a node that reaches the store, if there is one.
const awayWait = 3 * time.Second

// serveSession attaches a socket to the session of its token and serves it. Its errors are those for [Sessions.closeOf].
func (s *Sessions) serveSession(r *http.Request, o opening) error {
	patient, cancel := context.WithTimeout(s.life, awayWait)
	defer cancel()
	pause := retry.Backoff{First: 50 * time.Millisecond, Longest: time.Second}
	for dropped := 0; ; {
		err := s.serveToken(r, o)
		switch {
		case errors.Is(err, errDropped) && dropped < maxAttempts:
			dropped++
		case !isAway(err) || retry.Sleep(patient, pause.Next()) != nil:
			return err
		}
	}
}

// errHungUp reports that a client has closed its connection before its socket was attached.
var errHungUp = errors.New("client has hung up")

// opening is a WebSocket that was accepted and is not attached yet.
type opening struct {
	conn    *websocket.Conn
	control *http.ResponseController
	below   net.Conn // of conn
	order   int64
}

// serveToken attaches a socket to the session of its token, if that is there now, and serves it. A client that has hung up
// meanwhile takes nothing over: it may have come to another node long before this one, which had stood still, saw its request.
func (s *Sessions) serveToken(r *http.Request, o opening) error {
	if web.HungUp(o.below) {
		return errHungUp
	}
	e, err := s.byToken(s.life, r.URL.Query().Get("token"))
	if err != nil {
		return err
	}
	if e == nil {
		return errDead
	}
	return e.serve(newSocket(e, o.conn, o.control, o.order, speaksPython(r)))
}

// serve attaches a socket and serves it to its end. Errors are those of attach.
func (e *entry) serve(k *socket) error {
	defer k.out.drop()
	if err := e.attach(e.sessions.life, k); err != nil {
		k.helpers.Wait() // it may have been cut already
		return err
	}
	k.run()
	return nil
}

// closeOf returns how to close a socket that was not attached.
func (s *Sessions) closeOf(err error) messages.Close {
	switch {
	case errors.Is(err, errDead):
		return messages.CloseToken
	case errors.Is(err, errRevoked):
		return messages.CloseRevoked
	case errors.Is(err, errReplaced) || errors.Is(err, store.ErrTaken):
		return messages.CloseReplaced
	case errors.Is(err, store.ErrNotFound):
		return messages.CloseDeleted
	case errors.Is(err, errHalted) || errors.Is(err, store.ErrLost) || errors.Is(err, errDropped) || s.halted.Load():
		return messages.CloseRestart
	case isAway(err):
		return messages.CloseAway
	}
	return messages.CloseInternal
}

// limitFarewell bounds how long the answer to a close is waited for, whatever the client sends instead.
func limitFarewell(control *http.ResponseController, wait time.Duration) {
	_ = control.SetReadDeadline(time.Now().Add(wait)) // in tests the connection may not support deadlines
}

// closeConn sends a close with a code, waits a short while for the answer and closes the connection.
func closeConn(m *metrics.Metrics, conn *websocket.Conn, c messages.Close) {
	m.SocketCloses.WithLabelValues(strconv.Itoa(c.Code)).Inc()
	_ = conn.Close(websocket.StatusCode(c.Code), c.Reason) // a client that is gone cannot be told
}

package live

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"sync/atomic"
	"time"

	"steno/gateway/client"
	"steno/gateway/dialect"
	"steno/gateway/recovery"
	"steno/gateway/web"
	"steno/gateway/wsconn"
	"steno/messages"
	"steno/session/retry"
	"steno/session/store"
)

// refusedCloseTimeout is how long a refused client may take to answer the close of its socket.
const refusedCloseTimeout = time.Second

// maxAttempts bounds how often a socket that finds a dropped entry looks for a new one.
const maxAttempts = 3

// door accepts the sockets of clients.
type door struct {
	*site
	order atomic.Int64 // of the newest client
	// create is creator.create
	create func(w http.ResponseWriter, r *http.Request, request *messages.LiveRequest,
		grace time.Duration) (dialect.Created, error)
	room func(p web.Principal) error // creator.room
}

// Upgrade returns a handler that serves the WebSockets of a dialect and passes all other requests
// to next. The handler returns once a WebSocket is accepted: its goroutine, with its grown stack,
// the request and net/http's buffers, is more memory than the rest of a socket. The same holds for
// the goroutine that attaches the socket, which may open a session, so another one serves it.
func (s *door) Upgrade(d dialect.Dialect, next web.Handler) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if !web.IsUpgrade(r) {
			return next(w, r)
		}
		if !s.cfg.InFlight.Enter() {
			return refusal(d, web.Refuse(http.StatusServiceUnavailable, "shutting down", s.cfg.Limits.RetryAfter))
		}
		o, err := s.open(d, w, r)
		if err != nil {
			s.cfg.InFlight.Leave()
			return refusal(d, err)
		}
		if err := s.accept(w, r, &o); err != nil {
			s.cfg.InFlight.Leave()
			s.cfg.Log.Info().Str("request_id", web.RequestID(r)).Err(err).Msg("upgrade refused")
			return nil // it was answered
		}
		o.trail = o.trail.Take()
		leave := web.Outlast(r)
		s.cfg.Metrics.SocketsAccepted.Inc()
		s.cfg.Metrics.SocketsOpen.Inc()
		over := func() {
			o.Conn.Cut() // mostly closed already
			s.cfg.Metrics.SocketsOpen.Dec()
			leave()
			s.cfg.InFlight.Leave()
		}
		go s.serveSocket(o, over)
		return nil
	}
}

// opening is a WebSocket that is not attached yet.
type opening struct {
	client.Connection
	begins dialect.Opening
	known  bool             // the client's session is known
	token  string           // of the session
	made   *dialect.Created // the session that was made for the client; nil: none
	trail  *web.Trail       // of the request
	late   *http.Request    // request of a client that may still make a session; nil: it may not
}

// accept accepts a WebSocket. After an error the request was answered.
func (s *door) accept(w http.ResponseWriter, r *http.Request, o *opening) error {
	o.Order = s.order.Add(1) // before the response, after which the client may open the next one
	maps.Copy(w.Header(), o.begins.Header)
	var protocols []string
	if o.begins.Subprotocol != "" {
		protocols = []string{o.begins.Subprotocol}
	}
	conn, err := wsconn.Accept(w, r, protocols...)
	o.Conn = conn
	return err
}

// start records which session the client asks for.
func (o *opening) start(s *dialect.Start) {
	o.known, o.token, o.Offset, o.Updates = true, s.Token, s.Offset, s.Updates
}

// serveSocket attaches an accepted WebSocket and has it served by other goroutines. over is called
// at its end.
func (s *door) serveSocket(o opening, over func()) {
	var attached *client.Client
	var e *entry
	s.cfg.Recoverer.Run(recovery.Socket, o.Request, func() {
		if s.listen(&o) {
			attached, e = s.attachOrClose(o)
		}
	})
	if attached == nil {
		o.trail.Done(http.StatusSwitchingProtocols) // of a client that left, mostly
		over()
		return
	}
	attached.Serve(func() { e.detach(attached) }, over)
}

// attachOrClose attaches an accepted WebSocket. If that fails it states the reason in the close
// code, as browsers do not show the status of a refused upgrade, and returns nil. It also returns
// nil for a client that has left.
func (s *door) attachOrClose(o opening) (*client.Client, *entry) {
	k, e, err := s.attachSocket(o)
	if err == nil {
		o.trail.Enter(e.record.Account, e.record.Key, e.id)
		o.trail.Done(http.StatusSwitchingProtocols)
	}
	if err == nil || errors.Is(err, errHungUp) {
		return k, e
	}
	why := s.whyOf(err)
	o.trail.Done(auditedStatus(why))
	if why == dialect.Internal {
		s.cfg.Recoverer.Report(recovery.Socket, o.Request, err)
		s.cfg.Log.Error().Str("request_id", o.Request).Err(err).Msg("socket not attached")
	}
	s.clients.Close(o.Conn, o.Encoder, dialect.Ending{Why: why}, refusedCloseTimeout)
	return nil, nil
}

// storeTimeout is how long a new socket waits for a store that is out of reach: without it many
// refused clients would reconnect immediately, again and again. It is short, so that they soon
// reach a node that reaches the store, if there is one.
const storeTimeout = 3 * time.Second

// attachSocket attaches a socket to the session of its token. Its errors are those for door.whyOf.
func (s *door) attachSocket(o opening) (*client.Client, *entry, error) {
	patient, cancel := context.WithTimeout(s.life, storeTimeout)
	defer cancel()
	pause := retry.Backoff{First: 50 * time.Millisecond, Longest: time.Second}
	for dropped := 0; ; {
		k, e, err := s.attachToken(o)
		switch {
		case errors.Is(err, errDropped) && dropped < maxAttempts:
			dropped++
		case !isAway(err) || retry.Sleep(patient, pause.Next()) != nil:
			return k, e, err
		}
	}
}

// attachToken attaches a socket to the session of its token. It claims nothing for a client that
// has hung up: while this node was paused, the client may have connected to another one. Its errors
// are those of attach, or errHungUp.
func (s *door) attachToken(o opening) (*client.Client, *entry, error) {
	if o.Conn.HungUp() {
		return nil, nil, errHungUp
	}
	began := time.Now()
	e, err := s.byToken(s.life, o.token)
	if err != nil {
		return nil, nil, err
	}
	if s.reach.note(began, nil); e == nil {
		return nil, nil, errDead
	}
	k := s.clients.New(e.seat, o.Connection)
	if err := e.attach(s.life, k); err != nil {
		k.Discard()
		return nil, nil, err
	}
	return k, e, nil
}

// byToken returns the entry of the session of a valid token, nil if there is none. Errors:
// errRevoked, or the store's.
func (s *door) byToken(ctx context.Context, token string) (*entry, error) {
	if token == "" || len(token) > maxToken {
		return nil, nil
	}
	r, err := s.cfg.Store.ByToken(ctx, hashToken(token))
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("find session: %w", err)
	}
	if err := s.checkKey(ctx, r); err != nil {
		return nil, err
	}
	return s.registry.get(r.ID, func() *entry {
		if r.Finished() && (r.CompletedAt == nil || time.Since(*r.CompletedAt) >= s.cfg.Limits.ResumeWindow) {
			return nil
		}
		return newEntry(s.site, r, nil)
	}), nil
}

// auditedStatus returns the status in the audit log for a socket that was not attached.
func auditedStatus(why dialect.Why) int {
	switch why {
	case dialect.UnknownToken, dialect.Revoked:
		return http.StatusUnauthorized
	case dialect.Deleted:
		return http.StatusNotFound
	}
	return http.StatusServiceUnavailable
}

// whyOf returns how to close a socket that was not attached.
func (s *door) whyOf(err error) dialect.Why {
	switch {
	case errors.Is(err, errDead):
		return dialect.UnknownToken
	case errors.Is(err, errRevoked):
		return dialect.Revoked
	case errors.Is(err, errReplaced) || errors.Is(err, store.ErrTaken):
		return dialect.Replaced
	case errors.Is(err, store.ErrNotFound):
		return dialect.Deleted
	case errors.Is(err, errHalted) || errors.Is(err, store.ErrLost) || errors.Is(err, store.ErrClaimed) ||
		errors.Is(err, errDropped) || s.halted.Load():
		return dialect.Restart
	case isAway(err):
		return dialect.Away
	}
	return dialect.Internal
}

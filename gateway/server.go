package gateway

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"steno/gateway/accounts"
	"steno/gateway/admission"
	"steno/gateway/audit"
	"steno/gateway/bots"
	"steno/gateway/callbacks"
	"steno/gateway/connections"
	"steno/gateway/console"
	"steno/gateway/health"
	"steno/gateway/jobs"
	"steno/gateway/live"
	"steno/gateway/metrics"
	"steno/gateway/ports"
	"steno/gateway/records"
	"steno/gateway/recovery"
	"steno/gateway/subscribers"
	"steno/gateway/tokens"
	"steno/gateway/uploads"
	"steno/gateway/web"
)

// Server is the gateway. Its methods may be called from any goroutine.
type Server struct {
	cfg     Config
	deps    Deps
	log     zerolog.Logger
	handler http.Handler // for clients
	admin   http.Handler // for operators

	auditKept   *audit.Kept // nil: none
	keys        keyring
	auth        *authenticator
	proxies     *web.Proxies
	addresses   *web.Addresses
	connections *connections.Limit
	problems    *problems
	health      *health.Health
	metrics     *metrics.Metrics
	recoverer   *recovery.Recoverer
	disk        *admission.Disk
	policy      *admission.Policy
	admission   *admission.Controller
	accounts    *accounts.Accounts

	tokens      *tokens.Service
	console     map[string]web.Handler // what serves its files, by path
	dialects    dialects               // what they answer over HTTP
	subscribers *subscribers.Service
	live        *live.Sessions
	uploads     *uploads.Service
	records     *records.Service
	jobs        *jobs.Service
	bots        *bots.Service
	callbacks   *callbacks.Dispatcher
	views

	life     context.Context // of the jobs and the health checks
	endLife  context.CancelFunc
	draining atomic.Bool    // no new sessions
	inFlight web.InFlight   // handlers of WebSockets and of uploads
	tasks    sync.WaitGroup // the sweeper and the measurements of admission

	mu     sync.Mutex
	closed bool
	https  []*http.Server
	ports  []*ports.Port
}

// New returns a gateway, which continues the sessions and jobs of the store when they are due. The
// caller must Close it.
func New(c Config, d Deps) (*Server, error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	s := &Server{cfg: c, deps: d.withDefaults(), log: d.Log, keys: newKeyring(c.Keys), metrics: metrics.New()}
	for _, m := range d.Metrics {
		if err := s.metrics.Registry.Register(m); err != nil {
			return nil, fmt.Errorf("register metrics: %w", err)
		}
	}
	s.life, s.endLife = context.WithCancel(context.Background())
	s.auditKept = keepAudit(s)
	s.newGuards()
	s.newShared()
	if s.console, err = console.Handlers(s.addresses, d.Sample); err != nil {
		s.endLife()
		s.auditKept.Close()
		return nil, err
	}
	s.live = s.newSessions()
	s.subscribers = s.newSubscribers()
	s.newJobs()
	s.newViews()
	if s.callbacks, err = s.startCallbacks(); err != nil {
		s.endLife()
		s.auditKept.Close()
		s.live.Close()
		return nil, err
	}
	s.handler = s.routes()
	s.admin = s.adminRoutes()
	s.live.Start()
	s.subscribers.Start()
	s.tasks.Go(func() { measure(s.life, s.admission, s.recoverer) })
	s.tasks.Go(func() { s.recoverer.Run(recovery.Task, "accounts", func() { s.accounts.Run(s.life) }) })
	s.tasks.Go(func() { health.WatchDamage(s.life, s.deps.Store, s.metrics, s.log) })
	s.tasks.Go(func() { sweeper(s).Run(s.life) })
	s.jobs.Start()
	return s, nil
}

// measure measures the load for admission until ctx ends.
func measure(ctx context.Context, c *admission.Controller, r *recovery.Recoverer) {
	for ctx.Err() == nil {
		r.Run(recovery.Task, "admission", func() { c.Run(ctx) })
	}
}

// Sockets returns how many sockets of live sessions are served.
func (s *Server) Sockets() int64 { return s.live.Sockets() }

// Serve serves clients on the listener until Close, which makes it return nil.
func (s *Server) Serve(l net.Listener) error {
	return s.serve(s.connections.Clients(l), s.handler)
}

// ServeTLS is Serve under TLS. It completes the configuration.
func (s *Server) ServeTLS(l net.Listener, c *tls.Config) error {
	c = c.Clone()
	c.NextProtos = append([]string{"http/1.1"}, c.NextProtos...) // a WebSocket takes a connection of its own
	return s.serve(tls.NewListener(s.connections.Clients(l), c), s.handler)
}

// ServeAdmin serves operators on the listener, which clients must not reach, until Close, which
// makes it return nil: health, metrics, profiles.
func (s *Server) ServeAdmin(l net.Listener) error {
	return s.serve(s.connections.Operators(l), s.admin)
}

func (s *Server) serve(l net.Listener, h http.Handler) error {
	server := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       30 * time.Second, // of requests but uploads, which have a pace of their own
		IdleTimeout:       30 * time.Second,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          httpErrorLog(s.log),
		ConnState:         connections.Follow,
	}
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return errors.Join(http.ErrServerClosed, l.Close())
	}
	s.https = append(s.https, server)
	s.mu.Unlock()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve %s: %w", l.Addr(), err)
	}
	return nil
}

// closeGrace is how long clients may take to answer the close of their sockets when the server
// stops.
const closeGrace = 2 * time.Second

// Drain accepts no new sessions, starts no recorded files, and waits until no session has a socket,
// at most for the limit or until ctx is done. Then it closes the sockets so that clients reconnect
// after the restart, where their sessions continue. The caller must still call Close.
func (s *Server) Drain(ctx context.Context) {
	s.draining.Store(true)
	s.jobs.Drain()
	s.live.Drain(ctx)
	s.halt()
}

// halt stops everything that runs, and leaves sessions and jobs unchanged in the store.
func (s *Server) halt() {
	s.draining.Store(true)
	s.endLife()
	s.live.Halt()
	s.subscribers.Halt()
}

// cut cuts the remaining connections of sessions and subscribers.
func (s *Server) cut() {
	s.live.Cut()
	s.subscribers.Cut()
}

// Close stops everything immediately: it closes the sockets so that clients reconnect, and leaves
// the sessions in the store, from where they continue after a restart. It returns when all
// goroutines of the gateway are done.
func (s *Server) Close() error {
	s.mu.Lock()
	s.closed = true
	servers, talking := s.https, s.ports
	s.https, s.ports = nil, nil
	s.mu.Unlock()
	s.inFlight.Close()
	s.halt()
	var errs []error
	for _, h := range servers {
		errs = append(errs, h.Close())
	}
	grace := time.AfterFunc(closeGrace, s.cut)
	s.inFlight.Wait()
	if !grace.Stop() {
		s.cut() // waits for the locks that the other one may hold
	}
	for _, p := range talking { // whose sessions have reported their ends
		errs = append(errs, p.Close())
	}
	s.tasks.Wait()
	s.jobs.Wait()
	s.overview.Close()
	s.subscribers.Close()
	s.live.Close()
	stop, done := context.WithTimeout(context.Background(), closeGrace)
	defer done()
	s.callbacks.Stop(stop) // the requests under way
	s.auditKept.Close()
	return errors.Join(append(errs, s.deps.Outbound.Close())...)
}

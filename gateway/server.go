package gateway

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"
	"golang.org/x/sync/semaphore"

	"steno/gateway/admission"
	"steno/gateway/bots"
	"steno/gateway/callbacks"
	"steno/gateway/jobs"
	"steno/gateway/metrics"
	"steno/gateway/outbound"
	"steno/gateway/records"
	"steno/gateway/recovery"
	"steno/gateway/uploads"
	"steno/gateway/web"
	"steno/session/addon"
)

// Server is the gateway. Its methods may be called from any goroutine.
type Server struct {
	cfg       Config
	deps      Deps
	log       zerolog.Logger
	keys      keyring
	guesses   *guesses
	metrics   *metrics.Metrics
	sessions  *registry
	callbacks *callbacks.Dispatcher
	handler   http.Handler
	admin     http.Handler

	life     context.Context // of everything that is started here
	endLife  context.CancelFunc
	draining atomic.Bool // no new sessions
	halted   atomic.Bool // no sockets either

	connections *connections
	readiness   readiness
	proxies     *web.Proxies
	addresses   *web.Addresses

	turns    atomic.Int64        // of WebSockets
	handlers web.InFlight        // of WebSockets and of what takes long
	tasks    sync.WaitGroup      // the watchdog and what it starts
	room     *semaphore.Weighted // bytes for what sockets hold of long messages
	outRoom  *semaphore.Weighted // bytes for what waits for their clients

	uploads   *uploads.Service
	records   *records.Service
	jobs      *jobs.Service
	bots      *bots.Service
	disk      *admission.Disk
	policy    *admission.Policy
	recoverer *recovery.Recoverer

	mu     sync.Mutex
	closed bool
	https  []*http.Server
}

// New returns a gateway that knows the store's unfinished sessions: each gets a resume window from now on. The
// caller owes a Close.
func New(c Config, d Deps) (*Server, error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	s := &Server{cfg: c, deps: d, log: d.Log, keys: newKeyring(c.Keys), guesses: newGuesses(c.Limits.FailedKeys), metrics: metrics.New()}
	s.connections = newConnections(c.Limits)
	s.proxies = web.NewProxies(c.TrustedProxies, s.log)
	s.addresses = web.NewAddresses(c.PublicURL, c.Hosts, s.proxies, s.log)
	for _, m := range d.Metrics {
		if err := s.metrics.Registry.Register(m); err != nil {
			return nil, fmt.Errorf("register metrics: %w", err)
		}
	}
	s.life, s.endLife = context.WithCancel(context.Background())
	s.room, s.outRoom = semaphore.NewWeighted(c.Limits.SocketBytes), semaphore.NewWeighted(c.Limits.SocketBytes)
	if d.Addons == nil {
		d.Addons = &addon.Table{}
	}
	s.deps.Addons = d.Addons.WithFailures(newAddonFailures(s.log, s.metrics).tell)
	if s.deps.Outbound == nil {
		s.deps.Outbound = outbound.New(false)
	}
	s.recoverer = recovery.New(s.log, s.metrics.Panics)
	s.disk = admission.NewDisk(d.Store, c.Limits.FreeDisk)
	s.policy = &admission.Policy{
		Models: d.Engines, Addresses: s.deps.Outbound, Strict: c.Strict, Started: time.Now(), RetryAfter: c.Limits.RetryAfter, Log: s.log,
	}
	s.metrics.GaugeFunc("disk_free_bytes", "Bytes that the store has room for.", s.disk.Gauge)
	s.sessions = newRegistry(s)
	s.newJobs()
	if err := s.sessions.load(s.life); err != nil {
		s.endLife()
		return nil, fmt.Errorf("load unfinished sessions: %w", err)
	}
	if s.callbacks, err = s.startCallbacks(); err != nil {
		s.endLife()
		return nil, err
	}
	s.handler = s.routes()
	s.admin = s.adminRoutes()
	s.tasks.Go(s.watch)
	s.tasks.Go(s.watchKeys)
	s.tasks.Go(func() { s.sweeper().Run(s.life) })
	s.jobs.Start()
	return s, nil
}

// newJobs makes the parts that serve recorded files and records.
func (s *Server) newJobs() {
	c, d := s.cfg, s.deps
	s.uploads = uploads.New(uploads.Deps{
		Store: d.Store, Media: d.Media, NoMedia: d.NoMedia, Outbound: d.Outbound, Addresses: s.addresses, Policy: s.policy,
		Disk: s.disk, InFlight: &s.handlers, Metrics: s.metrics, Limits: c.Limits,
		Probes: 2 * c.Jobs.Workers, Fetches: c.Jobs.Fetches, AccountFetches: c.Jobs.AccountFetches,
	})
	s.jobs = jobs.New(s.life, c.Jobs, jobs.Deps{
		Store: d.Store, Engines: d.Engines, Ready: d.Ready, Media: d.Media, Diarizer: d.Diarizer, Addons: s.deps.Addons,
		Outbound: d.Outbound, Uploads: s.uploads, Addresses: s.addresses, Policy: s.policy, Disk: s.disk,
		InFlight: &s.handlers, Recoverer: s.recoverer, Metrics: s.metrics, Log: s.log, Limits: c.Limits,
	})
	s.bots = bots.New(bots.Deps{
		Store: d.Store, Uploads: s.uploads, Jobs: s.jobs, Addresses: s.addresses, Policy: s.policy, InFlight: &s.handlers,
		Limits: c.Limits, Done: s.life.Done(),
	})
	s.records = records.New(records.Deps{
		Store: d.Store, Addresses: s.addresses, Uploads: s.uploads, Limits: c.Limits, Readable: readable,
		Removed: func(id string) {
			s.sessions.forget(id)
			s.jobs.Cancel(id)
		},
		LogProblem: s.logProblem,
	})
}

// sweeper deletes records and uploads that have expired.
func (s *Server) sweeper() *records.Sweeper {
	return &records.Sweeper{
		Store: s.deps.Store, Keep: s.cfg.Limits.Keep, Retention: s.cfg.Limits.Retention, Removed: s.sessions.forget,
		Recoverer: s.recoverer, Log: s.log,
	}
}

// Serve serves clients on the listener until Close, which makes it return nil.
func (s *Server) Serve(l net.Listener) error {
	return s.serve(listener{l, s.admitConnection}, s.handler)
}

// ServeAdmin serves operators on the listener, which clients must not reach, until Close, which makes it return nil: health,
// metrics, profiles.
func (s *Server) ServeAdmin(l net.Listener) error {
	return s.serve(listener{l, s.admitOperator}, s.admin)
}

func (s *Server) serve(l net.Listener, h http.Handler) error {
	server := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       time.Minute,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          quietLog(s.log),
		ConnState:         follow,
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

// Close ends everything at once: sockets are closed so that clients come back, sessions are left in the store as they
// are and go on after a restart. It returns when all goroutines of the gateway have ended.
func (s *Server) Close() error {
	s.mu.Lock()
	s.closed = true
	servers := s.https
	s.https = nil
	s.mu.Unlock()
	s.handlers.Close()
	s.halt()
	var errs []error
	for _, h := range servers {
		errs = append(errs, h.Close())
	}
	grace := time.AfterFunc(closeGrace, s.sessions.cutAll)
	s.handlers.Wait()
	if !grace.Stop() {
		s.sessions.cutAll() // waits for the locks that the other one may hold
	}
	s.tasks.Wait()
	s.jobs.Wait()
	s.sessions.release()
	s.stopCallbacks()
	return errors.Join(append(errs, s.deps.Outbound.Close())...)
}

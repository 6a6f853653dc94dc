package live

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"steno/audio/media"
	"steno/gateway/admission"
	"steno/gateway/client"
	"steno/gateway/limits"
	"steno/gateway/metrics"
	"steno/gateway/recovery"
	"steno/gateway/tracing"
	"steno/gateway/web"
	"steno/session/addon"
	"steno/session/asr"
	"steno/session/store"
)

// Recognizers knows the recognizers behind the models of the API.
type Recognizers interface {
	// For returns the recognizer of a model. It stays valid while engines come and go.
	For(model string) asr.Recognizer
}

// Config is what live sessions work with.
type Config struct {
	Limits      limits.Limits
	Store       store.Store
	Recognizers Recognizers
	Addons      *addon.Table
	Policy      *admission.Policy
	Admission   *admission.Controller
	Disk        *admission.Disk
	Media       *media.Decoder                  // decodes containers; nil: none are taken
	CheckMedia  func(ctx context.Context) error // returns a problem where Media cannot be used
	InFlight    *web.InFlight                   // counts the handlers of sockets
	HasKey      func(k web.KeyHash) bool        // reports whether the configuration has an API key
	Node        string                          // names this node to the others that share the store
	CutOff      func()                          // is called when this node has not reached a store that it shares for so long that clients go elsewhere; nil: nobody is told
	Metrics     *metrics.Metrics
	Tracer      *tracing.Tracer // nil: no traces
	Recoverer   *recovery.Recoverer
	Log         zerolog.Logger
}

// Sessions are the live sessions of a server. Its methods may be called from any goroutine.
type Sessions struct {
	cfg      Config
	registry *registry
	node     string // differs from that of every other process
	reach    reach

	life     context.Context // of everything that is started here
	endLife  context.CancelFunc
	draining atomic.Bool  // no new sessions
	handing  atomic.Bool  // sessions are given up one by one: no sockets either
	halted   atomic.Bool  // nor anything else
	away     atomic.Int64 // when the store was last found out of reach, in ns since 1970; 0: never
	tasks    sync.WaitGroup
	refused  refusals

	clients *client.Clients
	order   atomic.Int64 // of clients, in which they came
}

// New returns the live sessions of a server. The caller must call Start, and Close in any case.
func New(c Config) *Sessions {
	s := &Sessions{cfg: c, node: c.Node + "/" + rand.Text()[:8]}
	s.registry = newRegistry(&s.cfg.Limits, c.Metrics)
	s.reach.last = time.Now()
	s.life, s.endLife = context.WithCancel(context.Background())
	s.clients = client.New(s.life, client.Config{Limits: c.Limits, Media: c.Media, Metrics: c.Metrics, Recoverer: c.Recoverer, Log: c.Log})
	return s
}

// Sockets returns how many sockets are served. It may be called from any goroutine.
func (s *Sessions) Sockets() int64 { return s.clients.Served() }

// Start begins to watch the sessions: it ends what has waited too long and what has lost its API key, and takes up what is
// due in the store.
func (s *Sessions) Start() {
	s.clients.Start()
	adopting := max(watchEvery, min(adoptEvery, s.cfg.Limits.ResumeWindow/4))
	s.tasks.Go(func() {
		s.repeat(adopting, "adoption", "sessions that are due are not taken up, tried again", s.adoptDue)
	})
	s.tasks.Go(func() { s.repeat(s.reportEvery(), "report", "other nodes are not told of, tried again", s.report) })
	s.tasks.Go(newWatchdog(s).run)
	s.tasks.Go(func() {
		s.repeat(client.LoadEvery, "processors", "the processor time used is not known, tried again", s.clients.MeasureLoad)
	})
	s.tasks.Go(func() { s.repeat(keysEvery, "keys", "removed keys are not noticed, tried again", s.endRevoked) })
}

// Forget drops a session whose record was deleted.
func (s *Sessions) Forget(id string) {
	if e := s.registry.take(id); e != nil {
		e.drop()
	}
}

// byToken returns the entry of the session that a token opens, nil if there is none or not any more. Errors: errRevoked, or
// the store's.
func (s *Sessions) byToken(ctx context.Context, token string) (*entry, error) {
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
		return newEntry(s, r, nil)
	}), nil
}

// admit counts one more unfinished session of a principal on an engine, or returns why there may be none.
func (s *Sessions) admit(p web.Principal, to admission.Target, channels int) (*admission.Speaker, error) {
	if s.draining.Load() {
		s.cfg.Metrics.Admission.Refuse(metrics.RefusedDraining)
		return nil, web.Refuse(http.StatusServiceUnavailable, "shutting down", s.cfg.Limits.RetryAfter)
	}
	if err := s.registry.admit(p); err != nil {
		return nil, err
	}
	h := holderOf(p)
	speaker, err := s.cfg.Admission.Admit(h.speakersName(), to, channels, s.registry.othersSpeaking(h))
	if err != nil {
		s.registry.dismiss(h)
		return nil, err
	}
	return speaker, nil
}

// Node returns the name by which this node is known to those that share the store.
func (s *Sessions) Node() string { return s.node }

// Unfinished returns how many sessions are not finished, on this node and on the others as they have reported.
func (s *Sessions) Unfinished() (here, elsewhere int) { return s.registry.unfinishedSessions() }

// Connected returns how many sessions have a socket. One that is being worked on counts, since it may have one.
func (s *Sessions) Connected() int {
	n := 0
	for _, e := range s.registry.list() {
		if e.connected() {
			n++
		}
	}
	return n
}

// Halt closes all sockets, so that clients come back after a restart, and leaves their sessions as they are in the store.
// Nothing is opened after it. Only the first call has an effect.
func (s *Sessions) Halt() {
	s.draining.Store(true)
	if s.halted.Swap(true) {
		return
	}
	s.endLife()
	var all sync.WaitGroup
	for _, e := range s.registry.list() {
		all.Go(func() { s.cfg.Recoverer.Run(recovery.Task, e.id, e.abandon) })
	}
	all.Wait()
}

// Cut cuts the connections that are left, whose clients do not answer the close of their sockets.
func (s *Sessions) Cut() {
	for _, e := range s.registry.list() {
		e.mu.Lock()
		if e.client != nil {
			e.client.Cut()
		}
		e.mu.Unlock()
	}
}

// Close halts, and returns when all goroutines but those of sockets have ended and all claims are given back. It is called
// when no handler of a socket is left.
func (s *Sessions) Close() {
	s.Halt()
	s.tasks.Wait()
	var all sync.WaitGroup // at the same time: each may wait for a store that is out of reach
	for _, e := range s.registry.list() {
		all.Go(func() {
			e.mu.Lock()
			defer e.mu.Unlock()
			e.closeSession()
			e.phase = dropped
		})
	}
	all.Wait()
	s.clients.Stop()
}

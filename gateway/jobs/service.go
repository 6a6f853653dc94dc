package jobs

import (
	"context"
	"runtime"
	"sync"

	"github.com/rs/zerolog"

	"steno/audio/media"
	"steno/gateway/accounts"
	"steno/gateway/admission"
	"steno/gateway/limits"
	"steno/gateway/metrics"
	"steno/gateway/recovery"
	"steno/gateway/tracing"
	"steno/gateway/uploads"
	"steno/gateway/web"
	"steno/session/addon"
	"steno/session/asr"
	"steno/session/retry"
	"steno/session/semaphore"
	"steno/session/store"
)

// Config limits the jobs that are worked on. Zero values stand for the defaults.
type Config struct {
	// Node names this process in the leases of jobs. Default "steno".
	Node string
	// Workers is the number of files transcribed at a time. Default: one per processor.
	Workers int
	// Addons is the number of jobs whose add-ons run at a time. Default 8, or twice the workers if
	// that is more.
	Addons int
	// Transcribed is the number of further jobs that may wait for that, each with its transcript in
	// memory. Beyond it workers wait too. Default 64.
	Transcribed int
	// Fetches is the number of files fetched for jobs at a time, and as many for uploads. Default
	// 16.
	Fetches int
	// AccountFetches is how many of them an account may use. Default a quarter of them.
	AccountFetches int
	// AccountJobs is the number of jobs of an account worked on at a time, including those whose
	// add-ons run. Default half of the total, but no less than the workers.
	AccountJobs int
}

// WithDefaults returns the config with the defaults in place of values that are not above 0.
func (c Config) WithDefaults() Config {
	if c.Node == "" {
		c.Node = "steno"
	}
	limits.Default(&c.Workers, runtime.NumCPU())
	limits.Default(&c.Addons, max(8, 2*c.Workers))
	limits.Default(&c.Transcribed, 64)
	limits.Default(&c.Fetches, 16)
	limits.Default(&c.AccountFetches, max(1, c.Fetches/4))
	limits.Default(&c.AccountJobs, max(c.Workers, (c.Workers+c.Addons+c.Transcribed)/2))
	return c
}

// Engines recognize the audio of jobs.
type Engines interface {
	// For returns the recognizer of a model.
	For(model string) asr.Recognizer
}

// Deps are the parts that a Service works with.
type Deps struct {
	Store     store.Store
	Engines   Engines
	Ready     func() error   // returns why no engine is ready; nil: engines are always ready
	Media     *media.Decoder // nil, or without a sandbox: jobs are refused
	Diarizer  asr.Diarizer   // nil: embedded
	Addons    *addon.Table
	Uploads   *uploads.Service
	Addresses *web.Addresses
	Policy    *admission.Policy
	Admission *admission.Controller
	Disk      *admission.Disk
	Accounts  *accounts.Accounts
	Recoverer *recovery.Recoverer
	Metrics   *metrics.Metrics
	Tracer    *tracing.Tracer // nil: no traces
	Log       zerolog.Logger
	Limits    limits.Limits
	// Callback returns the body of the callback for a finished record in a dialect's own form; nil:
	// it has none. May be nil.
	Callback func(dialect string, r store.Record) ([]byte, error)
}

// Service accepts jobs and works on them. Its methods may be called from any goroutine.
type Service struct {
	Deps
	config         Config
	leases         leases
	progress       progress
	waiters        waiters
	postProcessing *postProcessing
	fetches        *semaphore.Semaphore // jobs whose audio is being fetched

	life      context.Context // ends all work
	taking    context.Context // of life; ends when no more jobs are leased
	endTaking context.CancelFunc
	tasks     sync.WaitGroup // all goroutines
}

// New returns a service. Its work ends with life.
func New(life context.Context, c Config, d Deps) *Service {
	c = c.WithDefaults()
	s := &Service{
		Deps: d, config: c, postProcessing: newPostProcessing(c), fetches: semaphore.New(int64(c.Fetches), 0, 1),
		life: life,
	}
	s.taking, s.endTaking = context.WithCancel(life)
	return s
}

// Start starts the workers if there is a decoder. They wait until it was tried.
func (s *Service) Start() {
	if s.Media == nil {
		return
	}
	for range s.config.Workers {
		s.tasks.Go(s.work)
	}
	s.tasks.Go(s.fetchJobs)
}

// Drain starts no further jobs. Running jobs continue.
func (s *Service) Drain() { s.endTaking() }

// Wait waits for all goroutines. It is called after the end of the service's life.
func (s *Service) Wait() {
	s.endTaking()
	s.tasks.Wait()
}

// Cancel ends this process's work on a job whose record was deleted.
func (s *Service) Cancel(id string) { s.leases.cancel(id) }

// Leased returns the number of leases that this process holds.
func (s *Service) Leased() int { return s.leases.count() }

// pause waits before a failed call is repeated.
func (s *Service) pause(cause error) {
	if s.taking.Err() != nil {
		return
	}
	if cause != nil {
		s.Log.Error().Err(cause).Msg("no job taken, tried again later")
	}
	_ = retry.Sleep(s.taking, retryPause)
}

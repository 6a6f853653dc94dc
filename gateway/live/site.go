package live

import (
	"context"
	"crypto/rand"
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

// Recognizers provides the recognizers of the API's models.
type Recognizers interface {
	// For returns the recognizer of a model. It stays valid while engines are added and removed.
	For(model string) asr.Recognizer
}

// Accounts keeps accounts within their quotas.
type Accounts interface {
	// Admit takes one of the sessions that an account may open. h tells the client what remains. It
	// returns how many may be unfinished, 0 for any number. Its errors are problems.
	Admit(ctx context.Context, h http.Header, account string, live bool) (sessions int64, err error)
	// SessionsFull returns the problem of an account that has as many unfinished sessions as it
	// may.
	SessionsFull(account string) error
	// BoundsAudio reports whether the account's audio of a day has a bound.
	BoundsAudio(account string) bool
	// Exhausted returns the text for clients of an account that has used its audio of this day,
	// with that of its unfinished sessions; empty for one that has not.
	Exhausted(ctx context.Context, account string, running time.Duration) (string, error)
	// End counts a session that ends since its account has used its audio.
	End(account string)
}

// Config configures live sessions.
type Config struct {
	Limits      limits.Limits
	Store       store.Store
	Recognizers Recognizers
	Addons      *addon.Table
	Policy      *admission.Policy
	Admission   *admission.Controller
	Disk        *admission.Disk
	Accounts    Accounts
	Media       *media.Decoder                  // decodes containers; nil: none are taken
	CheckMedia  func(ctx context.Context) error // returns a problem where Media cannot be used
	InFlight    *web.InFlight                   // counts the handlers of sockets
	// Authenticate returns the principal of the credential of a client that asks for a session by a
	// WebSocket. Its errors are problems.
	Authenticate func(r *http.Request, credential string) (web.Principal, error)
	HasKey       func(k web.KeyHash) bool // reports whether the configuration has an API key
	Node         string                   // names this node to the others that share the store
	// CutOff is called when this node has not reached a shared store for so long that clients are
	// sent elsewhere; may be nil.
	CutOff    func()
	Metrics   *metrics.Metrics
	Tracer    *tracing.Tracer // nil: no traces
	Recoverer *recovery.Recoverer
	Log       zerolog.Logger
}

// site is the state that all sessions of a server share.
type site struct {
	cfg      Config
	registry *registry
	clients  *client.Clients
	node     string // differs from that of every other process
	reach    reach

	life     context.Context // of everything started here
	endLife  context.CancelFunc
	draining atomic.Bool  // no new sessions
	handing  atomic.Bool  // sessions are released one by one: no sockets either
	halted   atomic.Bool  // nor anything else
	away     atomic.Int64 // of the last failed report, in ns since 1970; 0: never
	tasks    sync.WaitGroup
}

func newSite(c Config) *site {
	s := &site{cfg: c, node: c.Node + "/" + rand.Text()[:8]}
	s.registry = newRegistry(&s.cfg.Limits, c.Metrics)
	s.reach.last = time.Now()
	s.life, s.endLife = context.WithCancel(context.Background())
	s.clients = client.New(s.life, client.Config{
		Limits: c.Limits, Media: c.Media, Metrics: c.Metrics, Recoverer: c.Recoverer, Log: c.Log,
	})
	return s
}

// logTrouble logs an error of a session; outages of the store, which concern all sessions, only at
// debug level.
func (s *site) logTrouble(id string, err error, what string) {
	level := zerolog.ErrorLevel
	if isAway(err) {
		level = zerolog.DebugLevel
	}
	if s.life.Err() == nil {
		s.cfg.Log.WithLevel(level).Str("session", id).Err(err).Msg(what)
	}
}

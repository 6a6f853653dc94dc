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

// Recognizers knows the recognizers of the models of the API.
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
	// Authenticate returns the principal of the credential of a client that wants to make a session
	// by a WebSocket. Its errors are problems.
	Authenticate func(r *http.Request, credential string) (web.Principal, error)
	HasKey       func(k web.KeyHash) bool // reports whether the configuration has an API key
	Node         string                   // names this node to the others that share the store
	// CutOff is called when this node has not reached a store that it shares for so long that
	// clients go elsewhere; nil: nothing is.
	CutOff    func()
	Metrics   *metrics.Metrics
	Tracer    *tracing.Tracer // nil: no traces
	Recoverer *recovery.Recoverer
	Log       zerolog.Logger
}

// site is what all sessions of a server share.
type site struct {
	cfg      Config
	registry *registry
	clients  *client.Clients
	node     string // differs from that of every other process
	reach    reach

	life     context.Context // of everything that is started here
	endLife  context.CancelFunc
	draining atomic.Bool  // no new sessions
	handing  atomic.Bool  // sessions are released one by one: no sockets either
	halted   atomic.Bool  // nor anything else
	away     atomic.Int64 // when the store was last found out of reach, in ns since 1970; 0: never
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

// logTrouble logs an error of a session, at debug level for an outage of the store, which is not an
// error of each session.
func (s *site) logTrouble(id string, err error, what string) {
	level := zerolog.ErrorLevel
	if isAway(err) {
		level = zerolog.DebugLevel
	}
	if s.life.Err() == nil {
		s.cfg.Log.WithLevel(level).Str("session", id).Err(err).Msg(what)
	}
}

package subscribers

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"steno/gateway/limits"
	"steno/gateway/metrics"
	"steno/gateway/recovery"
	"steno/gateway/web"
	"steno/messages"
	"steno/session/store"
)

// Store is what the service asks the store for.
type Store interface {
	store.AccountLog
	store.Feed
	Get(ctx context.Context, account, id string) (store.Record, error)
	Events(ctx context.Context, account, id string, after int64, limit int) ([]messages.Event, error)
	ListKeys(ctx context.Context) ([]store.Key, error)
	MissingTokens(ctx context.Context, hashes [][]byte) ([][]byte, error)
}

// Config is what the service works with.
type Config struct {
	Store     Store
	Limits    limits.Limits
	InFlight  *web.InFlight            // counts the handlers of subscriptions
	HasKey    func(k web.KeyHash) bool // reports whether the configuration has an API key that has not expired
	Metrics   *metrics.Metrics
	Recoverer *recovery.Recoverer
	Log       zerolog.Logger
}

// Service serves subscriptions of events. Its methods may be called from any goroutine.
type Service struct {
	cfg   Config
	life  context.Context // of hubs and watch
	end   context.CancelFunc
	tasks sync.WaitGroup
	away  atomic.Bool // the store could not be read lately, which was logged

	checkEvery time.Duration // see checkEvery

	mu            sync.Mutex
	halted        bool
	hubs          map[store.Topic]*hub
	subscriptions map[*subscription]struct{}
	ofKey         map[web.KeyHash]int // subscriptions of a key
}

// New returns the service. The caller must call Start, and Close in any case.
func New(c Config) *Service {
	s := &Service{cfg: c, checkEvery: checkEvery, hubs: map[store.Topic]*hub{},
		subscriptions: map[*subscription]struct{}{}, ofKey: map[web.KeyHash]int{}}
	s.life, s.end = context.WithCancel(context.Background())
	return s
}

// Start begins to watch the subscriptions.
func (s *Service) Start() { s.tasks.Go(s.watch) }

// enter counts a subscription and sets its hub to that of the source. Errors: 429 for a limit, 503
// while the server is shutting down.
func (s *Service) enter(t *subscription, from source) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.halted {
		return web.Refuse(http.StatusServiceUnavailable, "shutting down", s.cfg.Limits.RetryAfter)
	}
	h := s.hubs[from.topic()]
	if err := s.bound(t, h); err != nil {
		return err
	}
	if h == nil || h.source.history() != from.history() {
		h = newHub(s, from)
		var ctx context.Context
		ctx, h.stop = context.WithCancel(s.life)
		s.hubs[from.topic()] = h
		s.tasks.Go(func() { h.guard(ctx) })
	}
	h.subscriptions++
	t.hub = h
	s.subscriptions[t] = struct{}{}
	s.ofKey[t.principal.Key]++
	return nil
}

// bound returns the problem of a subscription that would be one more than a limit allows. It is
// called with mu held.
func (s *Service) bound(t *subscription, h *hub) error {
	l := &s.cfg.Limits
	for _, limit := range []struct {
		of        string
		have, max int
	}{
		{"the server", len(s.subscriptions), l.Subscribers},
		{"this API key", s.ofKey[t.principal.Key], l.KeySubscribers},
		{"this session", h.count(), l.SessionSubscribers},
	} {
		if limit.have >= limit.max {
			return web.Refuse(http.StatusTooManyRequests, limit.of+" has as many subscribers as are allowed",
				l.RetryAfter)
		}
	}
	return nil
}

// count returns the subscriptions of one session that hold a hub, which may be nil; 0 for a hub of
// several sessions.
func (h *hub) count() int {
	if h == nil || h.source.session() == "" {
		return 0
	}
	return h.subscriptions
}

// leave ends what enter has begun. A hub ends with its last subscription.
func (s *Service) leave(t *subscription) {
	t.hub.leave(t.client)
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.subscriptions, t)
	if s.ofKey[t.principal.Key]--; s.ofKey[t.principal.Key] == 0 {
		delete(s.ofKey, t.principal.Key)
	}
	if t.hub.subscriptions--; t.hub.subscriptions == 0 {
		t.hub.stop()
		s.drop(t.hub)
	}
}

// forget has new subscriptions get another hub.
func (s *Service) forget(h *hub) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop(h)
}

// drop is forget with mu held.
func (s *Service) drop(h *hub) {
	if topic := h.source.topic(); s.hubs[topic] == h {
		delete(s.hubs, topic)
	}
}

// Count returns how many subscriptions there are.
func (s *Service) Count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.subscriptions)
}

// list returns all subscriptions.
func (s *Service) list() []*subscription {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]*subscription, 0, len(s.subscriptions))
	for t := range s.subscriptions {
		all = append(all, t)
	}
	return all
}

// unreadable logs that the store cannot be read, once until it can.
func (s *Service) unreadable(err error) {
	if !s.away.Swap(true) && s.life.Err() == nil {
		s.cfg.Log.Error().Err(err).Msg("events for subscribers cannot be read, tried again")
	}
}

// readable notes that a log could be read.
func (s *Service) readable() {
	if s.away.Load() { // mostly not, and many read
		s.away.Store(false)
	}
}

// Halt ends all subscriptions, so that clients come back after a restart or to another node, and
// takes no new ones.
func (s *Service) Halt() {
	s.mu.Lock()
	s.halted = true
	s.mu.Unlock()
	s.SendAway()
}

// SendAway ends all subscriptions, so that clients go to another node.
func (s *Service) SendAway() {
	for _, t := range s.list() {
		t.client.finish(endRestart)
	}
}

// Cut cuts the connections that are left, whose clients do not answer the end of their
// subscriptions.
func (s *Service) Cut() {
	for _, t := range s.list() {
		t.out.cut()
	}
}

// Close halts, and returns when the goroutines of hubs and watch have ended. It is called when no
// handler of a subscription is left.
func (s *Service) Close() {
	s.Halt()
	s.end()
	s.tasks.Wait()
}

package gateway

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"sync"
	"time"

	"steno/gateway/ratelimit"
	"steno/gateway/web"
	"steno/messages"
	"steno/session/store"
)

// parallel bounds how many sessions without a client are opened and finished at the same time: those with one go first.
const parallel = 4

// maxCreators bounds the keys whose rate of creating sessions is remembered.
const maxCreators = 10_000

// burstOf is how many sessions a key that has rested may create at once.
func burstOf(aSecond int) int { return 2 * min(aSecond, math.MaxInt/2) }

// registry knows the sessions that are not finished, and for one resume window those that are.
type registry struct {
	server *Server
	slots  chan struct{} // of parallel

	mu       sync.Mutex
	entries  map[string]*entry
	open     int            // unfinished sessions
	held     map[holder]int // the same by who asked for them
	creating *ratelimit.Buckets[web.KeyHash]
}

// holder is whom an unfinished session counts for: the key it was made with.
type holder struct {
	account string
	key     string // empty for those of earlier programs
}

func holderOf(p web.Principal) holder { return holder{p.Account, string(p.Key[:])} }

func recordHolder(r store.Record) holder { return holder{r.Account, string(r.Key)} }

func newRegistry(s *Server) *registry {
	limits := s.cfg.Limits
	return &registry{
		server: s, slots: make(chan struct{}, parallel), entries: map[string]*entry{}, held: map[holder]int{},
		creating: ratelimit.New[web.KeyHash](float64(limits.KeyRate), burstOf(limits.KeyRate), maxCreators),
	}
}

// load takes up what the store has unfinished: each session gets a resume window from now on, a stopped one is
// finished at once, and what never was connected has the rest of its time, or such a window.
func (g *registry) load(ctx context.Context) error {
	records, err := g.server.deps.Store.Unfinished(ctx)
	if err != nil {
		return err
	}
	for _, r := range records {
		if r.Kind != messages.JobLive {
			continue
		}
		g.count(r)
		g.add(r)
	}
	return nil
}

// admit counts one more unfinished session of the principal's key, or refuses it. Who was admitted owes add or dismiss.
func (g *registry) admit(p web.Principal) error {
	limits := g.server.cfg.Limits
	if g.server.draining.Load() {
		return web.Refuse(http.StatusServiceUnavailable, "shutting down", limits.RetryAfter)
	}
	if wait := g.creating.Take(p.Key); wait > 0 {
		return web.Refuse(http.StatusTooManyRequests, fmt.Sprintf(
			"this API key creates more than %d sessions a second (limits.session_rate_per_key)", limits.KeyRate), wait)
	}
	h := holderOf(p)
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.held[h] >= limits.KeySessions:
		return web.Refuse(http.StatusTooManyRequests, fmt.Sprintf(
			"this API key has %d unfinished sessions, no more are allowed (limits.sessions_per_key)", g.held[h]), limits.RetryAfter)
	case g.open >= limits.Sessions:
		return web.Refuse(http.StatusServiceUnavailable, "no capacity for another session", limits.RetryAfter)
	}
	g.raise(h)
	return nil
}

// count takes up a session that was admitted by a former process.
func (g *registry) count(r store.Record) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.raise(recordHolder(r))
}

// raise counts one more. Called with mu held.
func (g *registry) raise(h holder) {
	g.open++
	g.held[h]++
	g.server.metrics.SessionsOpen.Inc()
}

// dismiss takes a session off the count.
func (g *registry) dismiss(h holder) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.open--
	if g.held[h]--; g.held[h] <= 0 {
		delete(g.held, h)
	}
	g.server.metrics.SessionsOpen.Dec()
}

// add enters an unfinished session that is counted already.
func (g *registry) add(r store.Record) *entry {
	e := newEntry(g.server, r)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.entries[r.ID] = e
	return e
}

// forget drops a session whose record was deleted.
func (g *registry) forget(id string) {
	g.mu.Lock()
	e := g.entries[id]
	delete(g.entries, id)
	g.mu.Unlock()
	if e != nil {
		e.drop()
	}
}

// byToken finds the session a token opens. A nil entry without an error: there is none, or not any more.
// Errors: errRevoked, or the store's.
func (g *registry) byToken(ctx context.Context, token string) (*entry, error) {
	if token == "" || len(token) > maxToken {
		return nil, nil
	}
	r, err := g.server.deps.Store.ByToken(ctx, hashToken(token))
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("find session: %w", err)
	}
	if err := g.server.checkKey(ctx, r); err != nil {
		return nil, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if e := g.entries[r.ID]; e != nil {
		return e, nil
	}
	if !r.Finished() || r.CompletedAt == nil || time.Since(*r.CompletedAt) >= g.server.cfg.Limits.ResumeWindow {
		return nil, nil
	}
	e := newEntry(g.server, r)
	g.entries[r.ID] = e
	return e, nil
}

// list is a copy of all entries.
func (g *registry) list() []*entry {
	g.mu.Lock()
	defer g.mu.Unlock()
	list := make([]*entry, 0, len(g.entries))
	for _, e := range g.entries {
		list = append(list, e)
	}
	return list
}

// remove takes out an entry that has nothing left to do.
func (g *registry) remove(e *entry) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.entries[e.id] == e {
		delete(g.entries, e.id)
	}
}

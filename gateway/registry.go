package gateway

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"steno/messages"
	"steno/session/store"
)

// parallel bounds how many sessions without a client are opened and finished at the same time: those with one go first.
const parallel = 4

// registry knows the sessions that are not finished, and for one resume window those that are.
type registry struct {
	server *Server
	slots  chan struct{} // of parallel

	mu       sync.Mutex
	entries  map[string]*entry
	open     int            // unfinished sessions
	accounts map[string]int // the same by account
}

func newRegistry(s *Server) *registry {
	return &registry{
		server: s, slots: make(chan struct{}, parallel), entries: map[string]*entry{}, accounts: map[string]int{},
	}
}

// load takes up what the store has unfinished: each session gets a resume window from now on, a stopped one is
// finished at once, and what never was connected has its time from its creation.
func (g *registry) load(ctx context.Context) error {
	records, err := g.server.deps.Store.Unfinished(ctx)
	if err != nil {
		return err
	}
	for _, r := range records {
		if r.Kind != messages.JobLive {
			continue
		}
		g.count(r.Account)
		g.add(r)
	}
	return nil
}

// admit counts one more unfinished session of the account, or refuses it. Who was admitted owes add or dismiss.
func (g *registry) admit(account string) error {
	limits := g.server.cfg.Limits
	g.mu.Lock()
	open, own := g.open, g.accounts[account]
	fits := !g.server.draining.Load() && open < limits.Sessions && own < limits.KeySessions
	if fits {
		g.open++
		g.accounts[account]++
	}
	g.mu.Unlock()
	switch {
	case fits:
		g.server.metrics.open.Inc()
		return nil
	case g.server.draining.Load():
		return refusal(http.StatusServiceUnavailable, "shutting down", limits.RetryAfter)
	case own >= limits.KeySessions:
		return refusal(http.StatusTooManyRequests, "too many sessions of this API key", limits.RetryAfter)
	}
	return refusal(http.StatusServiceUnavailable, "no capacity for another session", limits.RetryAfter)
}

func refusal(status int, message string, after time.Duration) error {
	return &messages.Problem{Status: status, Message: message, RetryAfter: after}
}

// count takes up a session that was admitted by a former process.
func (g *registry) count(account string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.open++
	g.accounts[account]++
	g.server.metrics.open.Inc()
}

// dismiss takes a session off the count.
func (g *registry) dismiss(account string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.open--
	if g.accounts[account]--; g.accounts[account] <= 0 {
		delete(g.accounts, account)
	}
	g.server.metrics.open.Dec()
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

package live

import (
	"fmt"
	"maps"
	"math"
	"net/http"
	"slices"
	"sync"
	"time"

	"steno/gateway/limits"
	"steno/gateway/metrics"
	"steno/gateway/ratelimit"
	"steno/gateway/web"
	"steno/session/store"
)

// maxCreators bounds the keys whose rate of creating sessions is kept.
const maxCreators = 10_000

// registry holds the entries of the sessions that are not finished and, for one resume window, of
// those that are. It counts the unfinished ones against the limits. Its methods may be called from
// any goroutine.
type registry struct {
	limits   *limits.Limits
	metrics  *metrics.Metrics
	creating *ratelimit.Buckets[web.KeyHash]

	mu         sync.Mutex
	entries    map[string]*entry // by session
	unfinished map[holder]int
	total      int              // of unfinished
	others     map[string]int64 // of other nodes, by the names of counts
	hasPeers   bool             // other nodes share the store
}

// holder is the owner of an unfinished session: the API key that it was created with.
type holder struct {
	account string
	key     string // empty for records of earlier versions
}

func holderOf(p web.Principal) holder { return holder{p.Account, string(p.Key[:])} }

func recordHolder(r store.Record) holder { return holder{r.Account, string(r.Key)} }

func newRegistry(l *limits.Limits, m *metrics.Metrics) *registry {
	burst := 2 * min(l.KeyRate, math.MaxInt/2)
	return &registry{
		limits: l, metrics: m, entries: map[string]*entry{}, unfinished: map[holder]int{},
		creating: ratelimit.New[web.KeyHash](float64(l.KeyRate), burst, maxCreators),
	}
}

// admit counts one more unfinished session of the principal's key, or returns a problem: 429 for
// the key's limits, 503 for the server's. After a success the caller must add or dismiss the
// session.
func (g *registry) admit(p web.Principal) error {
	if wait := g.creating.Take(p.Key); wait > 0 {
		return g.tooFast(wait)
	}
	h := holderOf(p)
	g.mu.Lock()
	defer g.mu.Unlock()
	if err := g.full(h); err != nil {
		return err
	}
	g.count(h)
	return nil
}

// room returns the problem with which admit would refuse a session of the principal's key now; nil
// if it would not.
func (g *registry) room(p web.Principal) error {
	if !g.creating.Has(p.Key) {
		return g.tooFast(time.Second)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.full(holderOf(p))
}

// tooFast counts and returns the refusal of a key that creates sessions too fast.
func (g *registry) tooFast(wait time.Duration) error {
	g.metrics.Admission.Refuse(metrics.RefusedKeyRate)
	return web.Refuse(http.StatusTooManyRequests, fmt.Sprintf(
		"this API key creates more than %d sessions a second", g.limits.KeyRate), wait)
}

// full counts and returns the refusal of another unfinished session; nil if there may be one. It is
// called with mu held.
func (g *registry) full(h holder) error {
	switch n := g.unfinished[h] + int(g.others[h.name()]); {
	case n >= g.limits.KeySessions:
		g.metrics.Admission.Refuse(metrics.RefusedKeySessions)
		return web.Refuse(http.StatusTooManyRequests, fmt.Sprintf(
			"this API key has %d unfinished sessions, no more are allowed", n), g.limits.RetryAfter)
	case g.total >= g.limits.Sessions:
		g.metrics.Admission.Refuse(metrics.RefusedSessions)
		return web.Refuse(http.StatusServiceUnavailable, "no capacity for another session", g.limits.RetryAfter)
	}
	return nil
}

// count counts one more unfinished session. It is called with mu held.
func (g *registry) count(h holder) {
	g.total++
	g.unfinished[h]++
	g.metrics.SessionsOpen.Inc()
	g.metrics.Accounts.Open(h.account, 1)
}

// dismiss uncounts an unfinished session.
func (g *registry) dismiss(h holder) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.total--
	if g.unfinished[h]--; g.unfinished[h] <= 0 {
		delete(g.unfinished, h)
	}
	g.metrics.SessionsOpen.Dec()
	g.metrics.Accounts.Open(h.account, -1)
}

// add adds a session that is counted already.
func (g *registry) add(e *entry) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.entries[e.id] = e
}

// get returns the entry of a session. If there is none, it adds, counts and returns that of make,
// unless that is nil.
func (g *registry) get(id string, make func() *entry) *entry {
	g.mu.Lock()
	defer g.mu.Unlock()
	if e := g.entries[id]; e != nil {
		return e
	}
	e := make()
	if e != nil {
		g.entries[id] = e
		if e.counted {
			g.count(recordHolder(e.record))
		}
	}
	return e
}

// counts returns this node's unfinished sessions, in total and by holder. At most store.MaxCounts
// are returned: the holders with the fewest sessions are left out.
func (g *registry) counts() map[string]int64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	holders := slices.SortedFunc(maps.Keys(g.unfinished),
		func(a, b holder) int { return g.unfinished[b] - g.unfinished[a] })
	counts := map[string]int64{allSessions: int64(g.total)}
	for _, h := range holders[:min(len(holders), store.MaxCounts-1)] {
		counts[h.name()] = int64(g.unfinished[h])
	}
	return counts
}

// othersSpeaking returns how many speakers a holder has on other nodes, as they have reported.
func (g *registry) othersSpeaking(h holder) float64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	return float64(g.others[h.speakersName()]) / 1000
}

// othersHeard returns how much audio the unfinished sessions of an account have been sent on other
// nodes, as they have reported.
func (g *registry) othersHeard(account string) time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	return time.Duration(g.others[audioName(account)]) * time.Millisecond
}

// learn records what the other nodes have reported, and whether there are any.
func (g *registry) learn(others map[string]int64, any bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.others, g.hasPeers = others, any
}

// unfinishedSessions returns how many sessions are unfinished on this node, and on the others as
// reported.
func (g *registry) unfinishedSessions() (here, elsewhere int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.total, int(g.others[allSessions])
}

// shared reports whether other nodes share the store.
func (g *registry) shared() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.hasPeers
}

// find returns the entry of a session, nil if there is none.
func (g *registry) find(id string) *entry {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.entries[id]
}

// take removes and returns the entry of a session, nil if there is none.
func (g *registry) take(id string) *entry {
	g.mu.Lock()
	defer g.mu.Unlock()
	e := g.entries[id]
	delete(g.entries, id)
	return e
}

// list returns all entries.
func (g *registry) list() []*entry {
	g.mu.Lock()
	defer g.mu.Unlock()
	list := make([]*entry, 0, len(g.entries))
	for _, e := range g.entries {
		list = append(list, e)
	}
	return list
}

// remove removes an entry, unless another one has taken its place.
func (g *registry) remove(e *entry) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.entries[e.id] == e {
		delete(g.entries, e.id)
	}
}

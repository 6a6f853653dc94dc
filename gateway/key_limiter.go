package gateway

import (
	"context"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"steno/gateway/ratelimit"
	"steno/gateway/web"
	"steno/session/retry"
)

const (
	maxFailing      = 10_000          // addresses whose unknown keys are counted
	unknownKeyDelay = time.Second     // before an unknown key is refused, of an address that has sent many
	maxWaitingKeys  = 4               // unknown keys of one address that wait for that
	perMinute       = 1 / float64(60) // in a second
)

// keyLimiter slows down clients that guess keys, tokens or tickets, all of which are keys here. An
// address may send some unknown keys, and a few more a minute. After that each is refused after a
// delay, those beyond a few at a time immediately, with 429. Known keys are never delayed, whatever
// else their address sends. Its methods may be called from any goroutine.
type keyLimiter struct {
	failures *ratelimit.Buckets[netip.Addr]

	mu     sync.Mutex
	queues map[netip.Addr]int // keys that wait
}

func newKeyLimiter(aMinute int) *keyLimiter {
	return &keyLimiter{
		failures: ratelimit.New[netip.Addr](float64(aMinute)*perMinute, aMinute, maxFailing),
		queues:   map[netip.Addr]int{},
	}
}

// reject returns the problem for an unknown key, token or ticket, after a delay if its address has
// sent too many; or the error of ctx.
func (g *keyLimiter) reject(ctx context.Context, from netip.Addr, message string) error {
	after := g.failures.Take(from)
	if after == 0 {
		return web.Problem(http.StatusUnauthorized, message)
	}
	if g.enqueue(from) {
		defer g.dequeue(from)
		if err := retry.Sleep(ctx, unknownKeyDelay); err != nil {
			return err
		}
	}
	return web.Refuse(http.StatusTooManyRequests, "too many unknown API keys from this address", after)
}

// enqueue reserves a place among the waiting keys of an address, if one is free.
func (g *keyLimiter) enqueue(from netip.Addr) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.queues[from] >= maxWaitingKeys {
		return false
	}
	g.queues[from]++
	return true
}

func (g *keyLimiter) dequeue(from netip.Addr) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.queues[from]--; g.queues[from] == 0 {
		delete(g.queues, from)
	}
}

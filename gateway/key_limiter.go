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
	maxAccepted     = 50_000          // keys remembered with the address that they came from
	unknownKeyDelay = time.Second     // before a key is looked up, from an address that has sent many unknown ones
	maxWaitingKeys  = 4               // keys of one address that wait for that
	perMinute       = 1 / float64(60) // in a second
)

// keyLimiter slows down clients that guess keys, tokens or tickets, all of which are keys here. An address may send some unknown keys, and a few more a minute. After that, keys
// that were not accepted from there before are looked up a few a second, each after a delay; those beyond are refused without
// being looked up. So guessing is slow, and clients with known keys that share the address with a guesser do not notice it. Its
// methods may be called from any goroutine.
type keyLimiter struct {
	failures *ratelimit.Buckets[netip.Addr]

	mu       sync.Mutex
	accepted map[originKey]struct{}
	queues   map[netip.Addr]int // keys that wait
}

// originKey is the hash of a key with the network that it came from.
type originKey struct {
	from netip.Addr
	key  web.KeyHash
}

func newKeyLimiter(aMinute int) *keyLimiter {
	return &keyLimiter{
		failures: ratelimit.New[netip.Addr](float64(aMinute)*perMinute, aMinute, maxFailing),
		accepted: map[originKey]struct{}{}, queues: map[netip.Addr]int{},
	}
}

// wait returns when a key may be looked up. Errors: a 429, or that of ctx.
func (g *keyLimiter) wait(ctx context.Context, k originKey) error {
	if g.failures.Has(k.from) {
		return nil
	}
	if known, free := g.enqueue(k); known {
		return nil
	} else if !free {
		return tooManyKeys(unknownKeyDelay)
	}
	defer g.dequeue(k.from)
	return retry.Sleep(ctx, unknownKeyDelay)
}

// enqueue takes a place among the waiting keys of an address, unless the key was accepted from there before.
func (g *keyLimiter) enqueue(k originKey) (known, free bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, known = g.accepted[k]; known {
		return true, false
	}
	if free = g.queues[k.from] < maxWaitingKeys; free {
		g.queues[k.from]++
	}
	return false, free
}

func (g *keyLimiter) dequeue(from netip.Addr) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.queues[from]--; g.queues[from] == 0 {
		delete(g.queues, from)
	}
}

// accept notes that a key is known.
func (g *keyLimiter) accept(k originKey) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, known := g.accepted[k]; known {
		return
	}
	for other := range g.accepted {
		if len(g.accepted) < maxAccepted {
			break
		}
		delete(g.accepted, other)
	}
	g.accepted[k] = struct{}{}
}

// reject notes that a key, token or ticket is unknown, and returns the problem for its sender.
func (g *keyLimiter) reject(k originKey, message string) error {
	g.mu.Lock()
	delete(g.accepted, k)
	g.mu.Unlock()
	if after := g.failures.Take(k.from); after > 0 {
		return tooManyKeys(after)
	}
	return web.Problem(http.StatusUnauthorized, message)
}

func tooManyKeys(after time.Duration) error {
	return web.Refuse(http.StatusTooManyRequests, "too many unknown API keys from this address", after)
}

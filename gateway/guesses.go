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
	guessers  = 10_000          // addresses remembered for the keys they had wrong
	provers   = 50_000          // addresses with a key they had right
	guessTime = time.Second     // a key waits so long before it is looked at, where many were wrong
	guessLane = 4               // keys of one address that wait for that at a time
	perMinute = 1 / float64(60) // in a second
)

// guesses slows down who tries keys. An address may have some wrong, and a few more a minute. After that, keys that have
// not been right from there before are looked at a few a second, each after a pause; those beyond are refused unseen.
// So guessing is slow, and whoever shares the address with a guesser and is known there notices nothing of it.
type guesses struct {
	failures *ratelimit.Buckets[netip.Addr]

	mu     sync.Mutex
	proven map[provenKey]struct{}
	queues map[netip.Addr]int // keys that wait
}

// provenKey is a key, as its hash, that was right from an address.
type provenKey struct {
	from netip.Addr
	key  web.KeyHash
}

func newGuesses(aMinute int) *guesses {
	return &guesses{
		failures: ratelimit.New[netip.Addr](float64(aMinute)*perMinute, aMinute, guessers),
		proven:   map[provenKey]struct{}{}, queues: map[netip.Addr]int{},
	}
}

// wait returns when a key from an address may be looked at. Errors: a 429, or ctx's.
func (g *guesses) wait(ctx context.Context, k provenKey) error {
	if g.failures.Has(k.from) {
		return nil
	}
	if known, free := g.queue(k); known {
		return nil
	} else if !free {
		return tooManyGuesses(guessTime)
	}
	defer g.unqueue(k.from)
	return retry.Sleep(ctx, guessTime)
}

// queue takes a place among the keys of its address that wait, unless the key is known there.
func (g *guesses) queue(k provenKey) (known, free bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, known = g.proven[k]; known {
		return true, false
	}
	if free = g.queues[k.from] < guessLane; free {
		g.queues[k.from]++
	}
	return false, free
}

func (g *guesses) unqueue(from netip.Addr) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.queues[from]--; g.queues[from] == 0 {
		delete(g.queues, from)
	}
}

// right notes that a key is known at its address.
func (g *guesses) right(k provenKey) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, known := g.proven[k]; known {
		return
	}
	for other := range g.proven {
		if len(g.proven) < provers {
			break
		}
		delete(g.proven, other)
	}
	g.proven[k] = struct{}{}
}

// wrong notes that a key is not known here, and gives what its sender is told.
func (g *guesses) wrong(k provenKey) error {
	g.mu.Lock()
	delete(g.proven, k)
	g.mu.Unlock()
	if after := g.failures.Take(k.from); after > 0 {
		return tooManyGuesses(after)
	}
	return web.Problem(http.StatusUnauthorized, "API key is unknown")
}

func tooManyGuesses(after time.Duration) error {
	return web.Refuse(http.StatusTooManyRequests, "too many unknown API keys from this address", after)
}

// Package ratelimit bounds how often something happens for each of many keys, such as the addresses
// of clients.
package ratelimit

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Buckets are token buckets of one size, one for each K. It keeps only buckets that are not full,
// and at most a given number of them. Its methods may be called from any goroutine.
type Buckets[K comparable] struct {
	every rate.Limit // tokens a second
	burst int
	most  int

	mu sync.Mutex
	of map[K]*rate.Limiter
}

// New returns buckets of burst tokens that are refilled with perSecond tokens a second, of which at
// most most are kept. If perSecond is not above 0, they are never empty.
func New[K comparable](perSecond float64, burst, most int) *Buckets[K] {
	b := &Buckets[K]{every: rate.Limit(perSecond), burst: burst, most: most, of: map[K]*rate.Limiter{}}
	if perSecond <= 0 {
		b.every = rate.Inf
	}
	return b
}

// Take takes a token of k and returns 0. If there is none, it takes nothing and returns how long it
// is until there is one.
func (b *Buckets[K]) Take(k K) time.Duration {
	if b.every == rate.Inf {
		return 0
	}
	now := time.Now()
	b.mu.Lock()
	defer b.mu.Unlock()
	limiter := b.of[k]
	if limiter == nil {
		b.room(now)
		limiter = rate.NewLimiter(b.every, b.burst)
		b.of[k] = limiter
	}
	r := limiter.ReserveN(now, 1)
	wait := r.DelayFrom(now)
	if wait > 0 {
		r.CancelAt(now)
	}
	return wait
}

// Has reports whether k has a token left.
func (b *Buckets[K]) Has(k K) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	limiter := b.of[k]
	return limiter == nil || limiter.TokensAt(time.Now()) >= 1
}

// room makes room for one more bucket. It removes full ones, and if there are none, any. It is
// called with mu held.
func (b *Buckets[K]) room(now time.Time) {
	if len(b.of) < b.most {
		return
	}
	for k, limiter := range b.of {
		if limiter.TokensAt(now) >= float64(b.burst) {
			delete(b.of, k)
		}
	}
	for k := range b.of {
		if len(b.of) < b.most {
			return
		}
		delete(b.of, k)
	}
}

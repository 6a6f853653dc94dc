package gateway

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// buckets are token buckets, one for each K, all of one size. Those that are full are not kept: there are at most so many
// as were drawn from lately, and never more than most.
type buckets[K comparable] struct {
	every rate.Limit // tokens a second
	burst int
	most  int

	mu sync.Mutex
	of map[K]*rate.Limiter
}

// newBuckets has buckets of burst tokens that get perSecond more; none are ever empty where perSecond is not above 0.
func newBuckets[K comparable](perSecond float64, burst, most int) *buckets[K] {
	b := &buckets[K]{every: rate.Limit(perSecond), burst: burst, most: most, of: map[K]*rate.Limiter{}}
	if perSecond <= 0 {
		b.every = rate.Inf
	}
	return b
}

// take takes a token of k. Where there is none it takes nothing and tells how long it is until there is one.
func (b *buckets[K]) take(k K) time.Duration {
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

// has tells whether k has a token left.
func (b *buckets[K]) has(k K) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	limiter := b.of[k]
	return limiter == nil || limiter.TokensAt(time.Now()) >= 1
}

// room makes room for one more bucket: full ones go, and if there is none, any. Called with mu held.
func (b *buckets[K]) room(now time.Time) {
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

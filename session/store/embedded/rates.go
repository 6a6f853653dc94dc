package embedded

import (
	"sync"
	"time"
)

// maxRates bounds the rates that are remembered.
const maxRates = 10_000

// rates are what was spent of units that come back evenly. A rate is the time at which all of its
// units are back. Its methods may be called from any goroutine.
type rates struct {
	now func() time.Time

	mu   sync.Mutex
	full map[string]time.Time // those that are not full
}

func newRates(now func() time.Time) *rates { return &rates{now: now, full: map[string]time.Time{}} }

// spend takes a unit of most that come back in a window. It returns how many are left; or how long
// it is until there is one.
func (r *rates) spend(name string, most int64, window time.Duration) (left int64, wait time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now, each := r.now(), window/time.Duration(most)
	full := r.full[name]
	if full.Before(now) {
		full = now
	}
	full = full.Add(each)
	if wait = full.Sub(now) - window; wait > 0 {
		return 0, wait
	}
	r.room(now)
	r.full[name] = full
	return int64((window - full.Sub(now)) / max(each, 1)), 0
}

// room forgets rates that are full where there are many, and any where all are spent. It is called
// with mu held.
func (r *rates) room(now time.Time) {
	if len(r.full) < maxRates {
		return
	}
	for name, full := range r.full {
		if !full.After(now) {
			delete(r.full, name)
		}
	}
	for name := range r.full {
		if len(r.full) < maxRates {
			return
		}
		delete(r.full, name)
	}
}

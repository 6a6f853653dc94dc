package semaphore

import (
	"context"
	"slices"
	"sync"
)

// maxServed bounds the parties of which is known when they were served.
const maxServed = 4096

// Fair is a semaphore that bounds the holders of each party as well. Parties take turns: of those
// that may have another holder, the one with the fewest is served, of several the one that was
// served longest ago, and its waiters in the order of their arrival. Its methods may be called from
// any goroutine.
type Fair struct {
	perParty   int
	maxWaiting int

	mu      sync.Mutex
	free    int
	held    map[string]int // by party
	served  map[string]int // how many were served, of all parties, when the party was
	count   int            // of those
	waiting []*waiter
}

// waiter is a caller of Acquire that waits.
type waiter struct {
	party string
	ready chan struct{} // closed when it is acquired
}

// NewFair returns a semaphore for n holders, of which at most perParty are of one party. At most
// waiting others may wait, half of them of one party.
func NewFair(n, perParty, waiting int) *Fair {
	return &Fair{perParty: perParty, maxWaiting: waiting, free: n, held: map[string]int{}, served: map[string]int{}}
}

// Acquire waits for the semaphore for a party. The caller releases it. Errors: ErrFull, or the
// context's.
func (f *Fair) Acquire(ctx context.Context, party string) error {
	w, err := f.enqueue(party)
	if w == nil {
		return err
	}
	select {
	case <-w.ready:
		return nil
	case <-ctx.Done():
	}
	if !f.dequeue(w) {
		f.Release(party) // it was acquired at the same moment
	}
	return ctx.Err()
}

// enqueue acquires the semaphore if the party may have it, and returns nil, or adds a waiter.
func (f *Fair) enqueue(party string) (*waiter, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.free > 0 && f.held[party] < f.perParty {
		f.grant(party)
		return nil, nil
	}
	if len(f.waiting) >= f.maxWaiting || f.waits(party) >= max(1, f.maxWaiting/2) {
		return nil, ErrFull
	}
	w := &waiter{party, make(chan struct{})}
	f.waiting = append(f.waiting, w)
	return w, nil
}

// waits returns how many of a party wait. Called with mu held.
func (f *Fair) waits(party string) (n int) {
	for _, w := range f.waiting {
		if w.party == party {
			n++
		}
	}
	return n
}

// grant counts one more holder of a party. Called with mu held.
func (f *Fair) grant(party string) {
	f.free--
	f.held[party]++
	f.count++
	if len(f.served) >= maxServed {
		for name, at := range f.served {
			if at < f.count-maxServed/2 {
				delete(f.served, name)
			}
		}
	}
	f.served[party] = f.count
}

// dequeue stops waiting. It returns false if the semaphore was acquired before.
func (f *Fair) dequeue(w *waiter) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	i := slices.Index(f.waiting, w)
	if i < 0 {
		return false
	}
	f.waiting = slices.Delete(f.waiting, i, i+1)
	return true
}

// Release lets the next one have the semaphore whose party may.
func (f *Fair) Release(party string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.free++
	if f.held[party]--; f.held[party] == 0 {
		delete(f.held, party)
	}
	i := f.next()
	if i < 0 {
		return
	}
	next := f.waiting[i]
	f.waiting = slices.Delete(f.waiting, i, i+1)
	f.grant(next.party)
	close(next.ready)
}

// next returns the index of the waiter that is served next; -1: none may be. Called with mu held.
func (f *Fair) next() int {
	best := -1
	for i, w := range f.waiting {
		switch {
		case f.held[w.party] >= f.perParty:
		case best < 0 || f.before(w.party, f.waiting[best].party):
			best = i
		}
	}
	return best
}

// before reports whether it is a party's turn before another's. Called with mu held.
func (f *Fair) before(party, other string) bool {
	if f.held[party] != f.held[other] {
		return f.held[party] < f.held[other]
	}
	return f.served[party] < f.served[other]
}

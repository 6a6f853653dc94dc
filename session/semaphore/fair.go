package semaphore

import (
	"context"
	"slices"
	"sync"
)

// Fair is a semaphore that bounds the holders of each party as well. Waiters are served in the order of their arrival, except
// for those whose party has as many holders as it may have. Its methods may be called from any goroutine.
type Fair struct {
	perParty   int
	maxWaiting int

	mu      sync.Mutex
	free    int
	held    map[string]int // by party
	waiting []*waiter
}

// waiter is a caller of Acquire that waits.
type waiter struct {
	party string
	ready chan struct{} // closed when it is acquired
}

// NewFair returns a semaphore for n holders, of which at most perParty are of one party. At most waiting others may wait.
func NewFair(n, perParty, waiting int) *Fair {
	return &Fair{perParty: perParty, maxWaiting: waiting, free: n, held: map[string]int{}}
}

// Acquire waits for the semaphore for a party. The caller releases it. Errors: ErrFull, or the context's.
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
	if len(f.waiting) >= f.maxWaiting {
		return nil, ErrFull
	}
	w := &waiter{party, make(chan struct{})}
	f.waiting = append(f.waiting, w)
	return w, nil
}

// grant counts one more holder of a party. Called with mu held.
func (f *Fair) grant(party string) {
	f.free--
	f.held[party]++
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
	i := slices.IndexFunc(f.waiting, func(w *waiter) bool { return f.held[w.party] < f.perParty })
	if i < 0 {
		return
	}
	next := f.waiting[i]
	f.waiting = slices.Delete(f.waiting, i, i+1)
	f.grant(next.party)
	close(next.ready)
}

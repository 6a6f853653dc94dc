package semaphore

import (
	"context"
	"slices"
	"sync"
)

// Shared is a semaphore that bounds the holders of each party as well. Waiters are served in the order of their arrival, except
// for those whose party has as many holders as it may have. Its methods may be called from any goroutine.
type Shared struct {
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

// NewShared returns a semaphore for n holders, of which at most perParty are of one party. At most waiting others may wait.
func NewShared(n, perParty, waiting int) *Shared {
	return &Shared{perParty: perParty, maxWaiting: waiting, free: n, held: map[string]int{}}
}

// Acquire waits for the semaphore for a party. The caller releases it. Errors: ErrFull, or the context's.
func (s *Shared) Acquire(ctx context.Context, party string) error {
	w, err := s.enqueue(party)
	if w == nil {
		return err
	}
	select {
	case <-w.ready:
		return nil
	case <-ctx.Done():
	}
	if !s.dequeue(w) {
		s.Release(party) // it was acquired at the same moment
	}
	return ctx.Err()
}

// enqueue acquires the semaphore if the party may have it, and returns nil, or adds a waiter.
func (s *Shared) enqueue(party string) (*waiter, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.free > 0 && s.held[party] < s.perParty {
		s.grant(party)
		return nil, nil
	}
	if len(s.waiting) >= s.maxWaiting {
		return nil, ErrFull
	}
	w := &waiter{party, make(chan struct{})}
	s.waiting = append(s.waiting, w)
	return w, nil
}

// grant counts one more holder of a party. Called with mu held.
func (s *Shared) grant(party string) {
	s.free--
	s.held[party]++
}

// dequeue stops waiting. It returns false if the semaphore was acquired before.
func (s *Shared) dequeue(w *waiter) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.Index(s.waiting, w)
	if i < 0 {
		return false
	}
	s.waiting = slices.Delete(s.waiting, i, i+1)
	return true
}

// Release lets the next one have the semaphore whose party may.
func (s *Shared) Release(party string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free++
	if s.held[party]--; s.held[party] == 0 {
		delete(s.held, party)
	}
	i := slices.IndexFunc(s.waiting, func(w *waiter) bool { return s.held[w.party] < s.perParty })
	if i < 0 {
		return
	}
	next := s.waiting[i]
	s.waiting = slices.Delete(s.waiting, i, i+1)
	s.grant(next.party)
	close(next.ready)
}

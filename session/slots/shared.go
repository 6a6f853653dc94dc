package slots

import (
	"context"
	"slices"
	"sync"
)

// Shared are slots of which each party has only some at a time. Whoever waits is served in order of coming, but that those
// are passed over whose party has all it may. Its methods may be called from any goroutine.
type Shared struct {
	each int // slots of a party
	most int // that may wait

	mu      sync.Mutex
	free    int
	taken   map[string]int // by party
	waiting []*wanting
}

// wanting is who waits for a slot.
type wanting struct {
	party string
	turn  chan struct{} // closed to hand over a slot
}

// NewShared returns so many free slots, of which a party has so many each at most. At most so many may wait for one.
func NewShared(free, each, waiting int) *Shared {
	return &Shared{each: each, most: waiting, free: free, taken: map[string]int{}}
}

// Take waits for a slot for a party, to be given back. Errors: ErrFull, or the context's.
func (s *Shared) Take(ctx context.Context, party string) error {
	w, err := s.queue(party)
	if w == nil {
		return err
	}
	select {
	case <-w.turn:
		return nil
	case <-ctx.Done():
	}
	if !s.leave(w) {
		s.Give(party) // the slot came at the same moment
	}
	return ctx.Err()
}

// queue takes a free slot, or a place among those who wait, which it returns.
func (s *Shared) queue(party string) (*wanting, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.free > 0 && s.taken[party] < s.each {
		s.take(party)
		return nil, nil
	}
	if len(s.waiting) >= s.most {
		return nil, ErrFull
	}
	w := &wanting{party, make(chan struct{})}
	s.waiting = append(s.waiting, w)
	return w, nil
}

// take counts a slot as a party's. Called with mu held.
func (s *Shared) take(party string) {
	s.free--
	s.taken[party]++
}

// leave gives up a place; false: it was called already.
func (s *Shared) leave(w *wanting) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.Index(s.waiting, w)
	if i < 0 {
		return false
	}
	s.waiting = slices.Delete(s.waiting, i, i+1)
	return true
}

// Give returns a slot of a party.
func (s *Shared) Give(party string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free++
	if s.taken[party]--; s.taken[party] == 0 {
		delete(s.taken, party)
	}
	i := slices.IndexFunc(s.waiting, func(w *wanting) bool { return s.taken[w.party] < s.each })
	if i < 0 {
		return
	}
	next := s.waiting[i]
	s.waiting = slices.Delete(s.waiting, i, i+1)
	s.take(next.party)
	close(next.turn)
}

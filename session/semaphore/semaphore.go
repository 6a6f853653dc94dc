// Package semaphore bounds how much is done at a time, or held, and shares that among parties.
package semaphore

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// ErrFull means that too many wait already.
var ErrFull = errors.New("too many wait")

// maxServed bounds the parties of which is known when they were served.
const maxServed = 4096

// Semaphore has units, such as places or bytes, of which parties have some; each may have a share
// of them at most. Parties take turns: of those that wait in the lowest line, and whose share has
// room, the one that has the least is served first, of several the one that was served longest ago,
// its waiters in the order of their arrival, and nobody before it, so that a large claim is not
// passed by small ones for ever. Where all are of one party, they are served by line, then first
// come, first served. Its methods may be called from any goroutine.
type Semaphore struct {
	share      int64
	maxWaiting int

	mu      sync.Mutex
	free    int64
	held    map[string]int64 // by party
	served  map[string]int   // how many were served, of all parties, when the party was
	count   int              // of those
	waiting []*waiter
}

// waiter is a caller of Acquire that waits.
type waiter struct {
	party string
	line  int
	units int64
	ready chan struct{} // closed when it is acquired, or refused
	err   error         // set before: it is refused
}

// New returns a semaphore of so many units, of which a party may have a share; 0: all. At most
// waiting others may wait: where more do, the newest of the party of which most wait is refused.
func New(units, share int64, waiting int) *Semaphore {
	if share <= 0 || share > units {
		share = units
	}
	return &Semaphore{
		share: share, maxWaiting: waiting, free: units, held: map[string]int64{}, served: map[string]int{},
	}
}

// TryAcquire takes units for a party if they are free and nobody waits who could have them. More
// than a share counts as a share. Where it returns true the caller releases as many.
func (s *Semaphore) TryAcquire(party string, units int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.try(party, min(units, s.share))
}

// try is called with mu held, as all methods below but those that are exported.
func (s *Semaphore) try(party string, units int64) bool {
	if units > s.free || !s.fits(party, units) || s.next() >= 0 {
		return false
	}
	s.grant(party, units)
	return true
}

// fits reports whether the units are within the party's share.
func (s *Semaphore) fits(party string, units int64) bool { return s.held[party]+units <= s.share }

// grant counts units as the party's.
func (s *Semaphore) grant(party string, units int64) {
	s.free -= units
	s.held[party] += units
	s.count++
	if len(s.served) >= maxServed {
		for name, at := range s.served {
			if at < s.count-maxServed/2 {
				delete(s.served, name)
			}
		}
	}
	s.served[party] = s.count
}

// Acquire waits for units for a party, in the lowest line. The caller releases them. Errors:
// ErrFull, or the context's.
func (s *Semaphore) Acquire(ctx context.Context, party string, units int64) error {
	return s.AcquireIn(ctx, 0, party, units)
}

// AcquireIn is Acquire in a line.
func (s *Semaphore) AcquireIn(ctx context.Context, line int, party string, units int64) error {
	units = min(units, s.share)
	w, err := s.enqueue(line, party, units)
	if w == nil {
		return err
	}
	select {
	case <-w.ready:
		return w.err
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch i := slices.Index(s.waiting, w); {
	case i >= 0:
		s.waiting = slices.Delete(s.waiting, i, i+1)
	case w.err == nil:
		s.put(party, units) // they were granted at the same moment
	}
	s.serve()
	return ctx.Err()
}

// enqueue takes the units and returns nil, or adds a waiter.
func (s *Semaphore) enqueue(line int, party string, units int64) (*waiter, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.try(party, units) {
		return nil, nil
	}
	if len(s.waiting) >= s.maxWaiting && !s.refuse(party) {
		return nil, ErrFull
	}
	w := &waiter{party: party, line: line, units: units, ready: make(chan struct{})}
	s.waiting = append(s.waiting, w)
	return w, nil
}

// refuse refuses a waiter of another party, of which more wait than of this one would. It returns
// false if there is none.
func (s *Semaphore) refuse(party string) bool {
	waits := map[string]int{}
	most := ""
	for _, w := range s.waiting {
		if waits[w.party]++; waits[w.party] > waits[most] {
			most = w.party
		}
	}
	if waits[most] <= waits[party]+1 {
		return false
	}
	last := -1
	for i, w := range s.waiting {
		if w.party == most && (last < 0 || w.line >= s.waiting[last].line) {
			last = i
		}
	}
	w := s.waiting[last]
	s.waiting = slices.Delete(s.waiting, last, last+1)
	w.err = ErrFull
	close(w.ready)
	return true
}

// Release returns units that TryAcquire or Acquire has taken, with the same number.
func (s *Semaphore) Release(party string, units int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.put(party, min(units, s.share))
	s.serve()
}

func (s *Semaphore) put(party string, units int64) {
	s.free += units
	if s.held[party] -= units; s.held[party] == 0 {
		delete(s.held, party)
	}
}

// serve grants units to those whose turn it is.
func (s *Semaphore) serve() {
	for i := s.next(); i >= 0 && s.waiting[i].units <= s.free; i = s.next() {
		w := s.waiting[i]
		s.waiting = slices.Delete(s.waiting, i, i+1)
		s.grant(w.party, w.units)
		close(w.ready)
	}
}

// next returns the index of the waiter whose turn it is, whether or not its units are free; -1: no
// share has room.
func (s *Semaphore) next() int {
	best := -1
	for i, w := range s.waiting {
		if s.fits(w.party, w.units) && (best < 0 || s.before(w, s.waiting[best])) {
			best = i
		}
	}
	return best
}

// before reports whether it is a waiter's turn before that of one that came earlier.
func (s *Semaphore) before(w, earlier *waiter) bool {
	switch {
	case w.line != earlier.line:
		return w.line < earlier.line
	case s.held[w.party] != s.held[earlier.party]:
		return s.held[w.party] < s.held[earlier.party]
	}
	return s.served[w.party] < s.served[earlier.party]
}

// Counts returns how many wait, and how many units are free.
func (s *Semaphore) Counts() (waiting int, free int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.waiting), s.free
}

// Held returns how many units parties have.
func (s *Semaphore) Held() (units int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range s.held {
		units += n
	}
	return units
}

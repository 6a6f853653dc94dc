// Package slots bounds what is under way at a time. Whoever waits for a slot is served by line, then in order of coming.
package slots

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// ErrFull says that too many wait.
var ErrFull = errors.New("too many wait")

// Slots are a number of slots, and those who wait for one. Its methods may be called from any goroutine.
type Slots struct {
	most int // that may wait

	mu      sync.Mutex
	free    int
	waiting [][]chan struct{} // by line; closed to hand over a slot
}

// New returns so many free slots. At most so many may wait for one, in any of the lines, of which the first is served
// first.
func New(free, waiting, lines int) *Slots {
	return &Slots{most: waiting, free: free, waiting: make([][]chan struct{}, lines)}
}

// Try takes a slot if one is free, which it is only while nobody waits.
func (s *Slots) Try() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.free == 0 {
		return false
	}
	s.free--
	return true
}

// Take waits in a line for a slot. Errors: ErrFull, or the context's.
func (s *Slots) Take(ctx context.Context, line int) error {
	turn, err := s.queue(line)
	if turn == nil {
		return err
	}
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
	}
	if !s.leave(line, turn) {
		s.Give() // the slot came at the same moment
	}
	return ctx.Err()
}

// queue takes a free slot, or a place in the line, which it returns.
func (s *Slots) queue(line int) (chan struct{}, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.free > 0 {
		s.free--
		return nil, nil
	}
	if s.count() >= s.most {
		return nil, ErrFull
	}
	turn := make(chan struct{})
	s.waiting[line] = append(s.waiting[line], turn)
	return turn, nil
}

// leave gives up a place in the line; false: it was called already.
func (s *Slots) leave(line int, turn chan struct{}) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.Index(s.waiting[line], turn)
	if i < 0 {
		return false
	}
	s.waiting[line] = slices.Delete(s.waiting[line], i, i+1)
	return true
}

// Give returns a slot.
func (s *Slots) Give() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for line, queue := range s.waiting {
		if len(queue) > 0 {
			s.waiting[line] = queue[1:]
			close(queue[0])
			return
		}
	}
	s.free++
}

// Counts tells how many wait, and how many slots are free.
func (s *Slots) Counts() (waiting, free int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.count(), s.free
}

func (s *Slots) count() (n int) {
	for _, queue := range s.waiting {
		n += len(queue)
	}
	return n
}

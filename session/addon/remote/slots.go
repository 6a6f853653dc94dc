package remote

import (
	"context"
	"errors"
	"slices"
	"sync"
)

var errQueue = errors.New("too many wait")

// slots bounds the requests under way. Whoever waits for one is served by priority, then in order of coming.
type slots struct {
	most int // that may wait

	mu      sync.Mutex
	free    int
	waiting [2][]chan struct{} // live, others; closed to hand over a slot
}

// take waits for a slot. Errors: errQueue where too many wait, or the context's.
func (s *slots) take(ctx context.Context, live bool) error {
	line := 1
	if live {
		line = 0
	}
	turn, err := s.line(line)
	if turn == nil {
		return err
	}
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
	}
	if !s.leave(line, turn) {
		s.give() // the slot came at the same moment
	}
	return ctx.Err()
}

// line takes a free slot, or a place in the queue, which it returns.
func (s *slots) line(line int) (chan struct{}, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.free > 0 {
		s.free--
		return nil, nil
	}
	if len(s.waiting[0])+len(s.waiting[1]) >= s.most {
		return nil, errQueue
	}
	turn := make(chan struct{})
	s.waiting[line] = append(s.waiting[line], turn)
	return turn, nil
}

// leave gives up a place in the queue; false: it was called already.
func (s *slots) leave(line int, turn chan struct{}) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.Index(s.waiting[line], turn)
	if i < 0 {
		return false
	}
	s.waiting[line] = slices.Delete(s.waiting[line], i, i+1)
	return true
}

// give returns a slot.
func (s *slots) give() {
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

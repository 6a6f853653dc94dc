package openai

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"steno/session/asr"
)

// slots bounds the requests under way. Whoever waits for one is served by priority, then in order of coming.
type slots struct {
	most int // that may wait

	mu      sync.Mutex
	free    int
	waiting [asr.Replay + 1][]chan struct{} // by priority; closed to hand over a slot
}

func newSlots(n, most int) *slots { return &slots{free: n, most: most} }

// try takes a slot if one is free, which it is only while nobody waits.
func (s *slots) try() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.free == 0 {
		return false
	}
	s.free--
	return true
}

// take waits for a slot. Errors: ErrUnavailable where too many wait, or the context's cause.
func (s *slots) take(ctx context.Context, p asr.Priority) error {
	turn, err := s.line(p)
	if turn == nil {
		return err
	}
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	i := slices.Index(s.waiting[p], turn)
	if i >= 0 {
		s.waiting[p] = slices.Delete(s.waiting[p], i, i+1)
	}
	s.mu.Unlock()
	if i < 0 {
		s.give() // the slot came at the same moment
	}
	return context.Cause(ctx)
}

// line takes a free slot, or a place in the queue, which it returns.
func (s *slots) line(p asr.Priority) (chan struct{}, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.free > 0 {
		s.free--
		return nil, nil
	}
	if len(s.waiting[asr.Live])+len(s.waiting[asr.Replay]) >= s.most {
		return nil, fmt.Errorf("%w: too many utterances wait for a request", asr.ErrUnavailable)
	}
	turn := make(chan struct{})
	s.waiting[p] = append(s.waiting[p], turn)
	return turn, nil
}

// give returns a slot.
func (s *slots) give() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for p, queue := range s.waiting {
		if len(queue) > 0 {
			s.waiting[p] = queue[1:]
			close(queue[0])
			return
		}
	}
	s.free++
}

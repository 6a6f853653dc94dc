// Package semaphore bounds how much is done at a time. A [Semaphore] serves those who wait by line,
// then first come, first served; a [Fair] one also bounds what each party has at a time.
package semaphore

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// ErrFull means that too many wait already.
var ErrFull = errors.New("too many wait")

// Semaphore lets a number of holders have it at a time, and a number of others wait for it. Its
// methods may be called from any goroutine.
type Semaphore struct {
	maxWaiting int

	mu      sync.Mutex
	free    int
	waiting [][]chan struct{} // by line; closed when it is acquired
}

// New returns a semaphore for n holders. At most waiting others may wait for it, in any of the
// lines. Lower lines are served first.
func New(n, waiting, lines int) *Semaphore {
	return &Semaphore{maxWaiting: waiting, free: n, waiting: make([][]chan struct{}, lines)}
}

// TryAcquire acquires the semaphore if it is free, which implies that nothing waits for it.
func (s *Semaphore) TryAcquire() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.free == 0 {
		return false
	}
	s.free--
	return true
}

// Acquire waits in a line for the semaphore. The caller releases it. Errors: ErrFull, or the
// context's.
func (s *Semaphore) Acquire(ctx context.Context, line int) error {
	ready, err := s.enqueue(line)
	if ready == nil {
		return err
	}
	select {
	case <-ready:
		return nil
	case <-ctx.Done():
	}
	if !s.dequeue(line, ready) {
		s.Release() // it was acquired at the same moment
	}
	return ctx.Err()
}

// enqueue acquires the semaphore if it is free, and returns nil, or joins a line and returns the
// channel that is closed when it is acquired.
func (s *Semaphore) enqueue(line int) (ready chan struct{}, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.free > 0 {
		s.free--
		return nil, nil
	}
	if s.count() >= s.maxWaiting {
		return nil, ErrFull
	}
	ready = make(chan struct{})
	s.waiting[line] = append(s.waiting[line], ready)
	return ready, nil
}

// dequeue leaves a line. It returns false if the semaphore was acquired before.
func (s *Semaphore) dequeue(line int, ready chan struct{}) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.Index(s.waiting[line], ready)
	if i < 0 {
		return false
	}
	s.waiting[line] = slices.Delete(s.waiting[line], i, i+1)
	return true
}

// Release lets the next one have the semaphore.
func (s *Semaphore) Release() {
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

// Counts returns how many wait, and how many more may have the semaphore.
func (s *Semaphore) Counts() (waiting, free int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.count(), s.free
}

func (s *Semaphore) count() (n int) {
	for _, queue := range s.waiting {
		n += len(queue)
	}
	return n
}

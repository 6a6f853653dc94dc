package audit

import "sync"

// queue is lines that wait for the goroutine that writes them.
type queue[T any] struct {
	ended chan struct{} // closed by that goroutine

	mu        sync.Mutex
	changed   *sync.Cond // waiting or closed
	waiting   []T
	closed    bool
	full      int64 // lines without room
	unwritten int64
}

func (q *queue[T]) init() {
	q.ended = make(chan struct{})
	q.changed = sync.NewCond(&q.mu)
}

// add adds a line that can be written, if there is room.
func (q *queue[T]) add(line T, writable bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !writable || q.closed || len(q.waiting) == maxWaiting {
		q.full++
		return
	}
	q.waiting = append(q.waiting, line)
	q.changed.Signal()
}

// next waits for lines; nil: the queue was closed.
func (q *queue[T]) next() []T {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.waiting) == 0 && !q.closed {
		q.changed.Wait()
	}
	lines := q.waiting
	q.waiting = nil
	return lines
}

// lose counts lines that were not written.
func (q *queue[T]) lose(n int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.unwritten += n
}

func (q *queue[T]) lost() (full, unwritten int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.full, q.unwritten
}

// close lets no more lines in.
func (q *queue[T]) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.changed.Signal()
}

package client

import (
	"runtime"
	"sync"
)

// writeQueue is the sockets that have something to write. Its goroutine has them write it one after
// the other, what their connections take at once: writes that follow each other wake other
// processes less often, and most sockets have no goroutine and no stack for writing.
type writeQueue struct {
	wake chan struct{}
	over chan struct{}
	once sync.Once // closes over

	mu      sync.Mutex
	sockets []*Client
}

func newWriteQueue() *writeQueue {
	return &writeQueue{wake: make(chan struct{}, 1), over: make(chan struct{})}
}

// add puts a socket into the queue that is not in it. It may be called from any goroutine.
func (q *writeQueue) add(k *Client) {
	q.mu.Lock()
	q.sockets = append(q.sockets, k)
	first := len(q.sockets) == 1
	q.mu.Unlock()
	if first {
		select {
		case q.wake <- struct{}{}:
		default:
		}
	}
}

// stop ends run. Nothing that is added after that is served.
func (q *writeQueue) stop() { q.once.Do(func() { close(q.over) }) }

// run serves the queue until stop is called.
func (q *writeQueue) run() {
	var batch []*Client
	for {
		select {
		case <-q.over:
			return
		case <-q.wake:
		}
		runtime.Gosched() // after the readers that are ready
		batch = q.take(batch)
		for _, k := range batch {
			k.failed(k.writer.serve())
		}
		clear(batch)
	}
}

// take empties the queue into a slice, which it has instead.
func (q *writeQueue) take(batch []*Client) []*Client {
	q.mu.Lock()
	defer q.mu.Unlock()
	full := q.sockets
	q.sockets = batch[:0]
	return full
}

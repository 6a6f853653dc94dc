package client

import (
	"runtime"
	"sync"
)

// writeQueue holds the sockets that have something to write. Its goroutine serves them one after
// the other, without blocking. Consecutive writes wake other processes less often, and most sockets
// need no goroutine and no stack for writing.
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

// add queues a socket. The socket must not be in the queue. It may be called from any goroutine.
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

// stop stops run. Sockets added later are not served.
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

// take returns the queued sockets; the queue reuses batch.
func (q *writeQueue) take(batch []*Client) []*Client {
	q.mu.Lock()
	defer q.mu.Unlock()
	full := q.sockets
	q.sockets = batch[:0]
	return full
}

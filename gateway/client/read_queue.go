package client

import (
	"slices"
	"sync"
	"time"

	"steno/gateway/wsconn"
)

// The clock of a read queue: sockets are due at its steps, at most readSlots ahead.
const (
	readStep  = wsconn.GatherStep
	readSlots = int64(32)
)

// gatherer is a socket in a read queue.
type gatherer interface {
	// gathered reads the accumulated messages.
	gathered()
}

// readQueue holds the sockets whose messages accumulate. Meanwhile they need neither a goroutine
// nor a stack. Sockets due at the same step of the clock are read one after the other by one
// goroutine. If one blocks it, because its session is slow, further goroutines read the rest from
// the next step on.
type readQueue struct {
	wake    chan struct{}
	over    chan struct{}
	once    sync.Once     // closes over
	work    chan struct{} // for the first reading goroutine, which outlasts the others
	epoch   time.Time     // of the clock
	readers sync.WaitGroup

	mu      sync.Mutex
	slots   [readSlots][]gatherer // by the step in which they are due
	waiting int                   // sockets in slots
	step    int64                 // the last step handled
	ready   []gatherer            // due; those before next are being read
	next    int
	reading int // reading goroutines
	read    int // sockets read so far
	seen    int // read as of the previous step
}

func newReadQueue() *readQueue {
	epoch := time.Now()
	epoch = epoch.Add(-time.Duration(epoch.UnixNano() % int64(readStep))) // pauses end at its multiples since 1970
	return &readQueue{wake: make(chan struct{}, 1), over: make(chan struct{}), work: make(chan struct{}, 1),
		epoch: epoch}
}

// add queues a socket to be read after a pause. The socket must not be in the queue. It may be
// called from any goroutine, which must not use the socket's reader afterwards.
func (q *readQueue) add(k gatherer, pause time.Duration) {
	now := time.Now()
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.waiting == 0 {
		q.step = q.stepOf(now)
		select {
		case q.wake <- struct{}{}:
		default:
		}
	}
	due := min(max(q.stepOf(now.Add(pause+readStep/2)), q.step+1), q.step+readSlots)
	q.slots[due%readSlots] = append(q.slots[due%readSlots], k)
	q.waiting++
}

// stepOf returns the clock's step at a time.
func (q *readQueue) stepOf(t time.Time) int64 { return int64(t.Sub(q.epoch) / readStep) }

// stop stops run. Sockets added later are not read.
func (q *readQueue) stop() { q.once.Do(func() { close(q.over) }) }

// run has due sockets read until stop is called, and then waits for the reading goroutines.
func (q *readQueue) run() {
	q.readers.Go(func() {
		for range q.work {
			q.serve()
		}
	})
	defer q.readers.Wait()
	defer close(q.work)
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-q.over:
			return
		case <-q.wake:
		}
		for q.turn(time.Now()) {
			timer.Reset(readStep - time.Since(q.epoch)%readStep)
			select {
			case <-q.over:
				return
			case <-timer.C:
			}
		}
	}
}

// turn makes the due sockets ready and starts goroutines to read them where needed. It reports
// whether sockets remain in the queue.
func (q *readQueue) turn(now time.Time) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ready, q.next = slices.Delete(q.ready, 0, q.next), 0
	upto := q.stepOf(now)
	for step := max(q.step, upto-readSlots) + 1; step <= upto; step++ {
		slot := &q.slots[step%readSlots]
		q.ready = append(q.ready, *slot...)
		q.waiting -= len(*slot)
		clear(*slot)
		*slot = (*slot)[:0]
	}
	q.step = max(q.step, upto)
	rest := len(q.ready)
	switch {
	case rest == 0:
	case q.reading == 0:
		q.reading = 1
		q.work <- struct{}{}
	case q.read == q.seen: // none since the last step: all of them are blocked
		for range min(q.reading, rest) {
			q.reading++
			q.readers.Go(q.serve)
		}
	}
	q.seen = q.read
	return q.waiting > 0 || rest > 0
}

// serve reads sockets until none is ready.
func (q *readQueue) serve() {
	for k := q.first(); k != nil; k = q.following() {
		k.gathered()
	}
}

// following is first for a goroutine that has read a socket.
func (q *readQueue) following() gatherer {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.read++
	return q.take()
}

// first returns the next socket to read. nil: there is none, and the goroutine must return.
func (q *readQueue) first() gatherer {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.take()
}

// take is first with mu held.
func (q *readQueue) take() gatherer {
	if q.next == len(q.ready) {
		q.ready, q.next = q.ready[:0], 0
		q.reading--
		return nil
	}
	k := q.ready[q.next]
	q.ready[q.next] = nil
	q.next++
	return k
}

package loadtest

import (
	"container/heap"
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
)

const (
	// inFlight is how many bytes may be unacknowledged while the schedule sends to a server. They
	// fit into the buffers of the connection, so that no write of the schedule waits for a server
	// that does not read.
	inFlight = 32 << 10
	// napTime is how long the schedule sleeps at the least: it wakes for several frames together,
	// none of them later than that, which costs less than a timer for each.
	napTime = 250 * time.Microsecond
)

// sender is a socket whose frames the schedule sends.
type sender struct {
	conn  *websocket.Conn
	pace  pace
	acked *atomic.Int64 // by the server

	pos   int64 // bytes sent
	due   time.Time
	place int        // in the queue; -1: not there
	back  chan error // receives once when the schedule returns the sender on its own
}

// schedule sends the frames of many sockets when they are due, on one goroutine. A socket is
// returned to its client when the track is through, when a write fails, or when too many bytes are
// unacknowledged.
type schedule struct {
	figures *figures
	wake    chan struct{} // holds one: a frame is due earlier than thought

	mu    sync.Mutex
	queue senders
}

func newSchedule(f *figures) *schedule {
	return &schedule{figures: f, wake: make(chan struct{}, 1)}
}

// add hands a sender over.
func (s *schedule) add(n *sender) {
	s.mu.Lock()
	n.due = n.pace.due(n.pos + 1)
	heap.Push(&s.queue, n)
	first := n.place == 0
	s.mu.Unlock()
	if first {
		select {
		case s.wake <- struct{}{}:
		default:
		}
	}
}

// remove removes a sender, and waits for a running write: the connection should be closed.
func (s *schedule) remove(n *sender) {
	s.mu.Lock()
	queued := n.place >= 0
	if queued {
		heap.Remove(&s.queue, n.place)
	}
	s.mu.Unlock()
	if !queued {
		<-n.back
	}
}

// run sends until ctx ends. All senders have been given back or removed by then.
func (s *schedule) run(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	var batch []*sender
	var lags []time.Duration
	for {
		batch = s.take(batch[:0], time.Now())
		lags = lags[:0]
		for _, n := range batch {
			lags = append(lags, time.Since(n.due))
			s.send(n)
		}
		s.figures.sent(lags)
		timer.Reset(s.pause(time.Now()))
		select {
		case <-timer.C:
		case <-s.wake:
		case <-ctx.Done():
			return
		}
	}
}

// take removes from the queue what is due.
func (s *schedule) take(batch []*sender, now time.Time) []*sender {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.queue) > 0 && !s.queue[0].due.After(now) {
		batch = append(batch, heap.Pop(&s.queue).(*sender))
	}
	return batch
}

// pause is how long nothing is to be done.
func (s *schedule) pause(now time.Time) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.queue) == 0 {
		return time.Hour
	}
	return max(s.queue[0].due.Sub(now), napTime)
}

// send writes one frame of a sender and puts it back into the queue, or returns it to its client.
func (s *schedule) send(n *sender) {
	b := n.pace.track.read(n.pos, n.pace.step)
	if err := n.conn.Write(context.Background(), websocket.MessageBinary, b); err != nil {
		n.back <- err
		return
	}
	n.pos += int64(len(b))
	if n.pos == n.pace.track.length || n.pos-n.acked.Load() > inFlight {
		n.back <- nil
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	n.due = n.pace.due(n.pos + 1)
	heap.Push(&s.queue, n)
}

// senders is a heap by due time.
type senders []*sender

func (q senders) Len() int           { return len(q) }
func (q senders) Less(i, j int) bool { return q[i].due.Before(q[j].due) }
func (q senders) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].place, q[j].place = i, j
}

func (q *senders) Push(x any) {
	n := x.(*sender)
	n.place = len(*q)
	*q = append(*q, n)
}

func (q *senders) Pop() any {
	last := len(*q) - 1
	n := (*q)[last]
	(*q)[last] = nil
	*q = (*q)[:last]
	n.place = -1
	return n
}

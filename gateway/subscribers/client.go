package subscribers

import (
	"slices"
	"sync"

	"steno/gateway/metrics"
	"steno/messages"
)

// queueBytes is how much may wait for one subscriber, what is being written included. A message
// that is larger waits alone.
const queueBytes = 256 << 10

// client is the queue of one subscriber between its hub and its subscription. Its methods may be
// called from any goroutine.
type client struct {
	wants    messages.Filter
	sessions []string // ids of those wanted; nil: all of the log
	beyond   int64    // position up to which nothing logged is wanted, though it is still to come; mostly 0
	room     int      // bytes that may wait
	metrics  *metrics.Metrics
	wake     chan struct{}

	mu      sync.Mutex
	after   int64 // position up to which logged publications are queued, or are not wanted
	queue   []*publication
	bytes   int   // of the queue
	writing int   // bytes of the batch that the subscription has, which count until it takes the next one
	missed  int64 // unlogged publications dropped since the last lag
	lagged  bool  // it has left the hub, and nothing is queued any more
	end     *ending
}

// delivery is what a client has for its subscription.
type delivery struct {
	publications []*publication
	after        int64 // position that publications lead to
	// the client has lagged, and nothing is queued any more: the subscription reads the log itself
	lag *Lag
	end *ending
}

// isWanted reports whether the subscriber is sent a publication.
func (c *client) isWanted(f *publication) bool {
	return c.wants.Has(f.key.Kind) && (f.position == 0 || f.position > c.beyond) &&
		(c.sessions == nil || slices.Contains(c.sessions, f.session))
}

// push queues a publication. It reports false if the client has lagged, and then takes no more
// until it resumes.
func (c *client) push(f *publication) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.lagged || c.end != nil:
		return !c.lagged
	case f.position > 0 && f.position <= c.after:
		return true
	case !c.isWanted(f):
		c.after = max(c.after, f.position)
		return true
	case f.position == 0:
		c.pushUnlogged(f)
	case c.isFull(f):
		c.lagged = true
		c.metrics.Drop(metrics.DropSubscriberLag)
	default:
		c.queue, c.bytes = append(c.queue, f), c.bytes+len(f.body)
		c.after = f.position
	}
	c.notify()
	return !c.lagged
}

func (c *client) isFull(f *publication) bool {
	held := c.bytes + c.writing
	return held > 0 && held+len(f.body) > c.room
}

// pushUnlogged queues a publication that is not logged: in place of an older partial of its
// utterance, or not at all if there is no room. It is called with mu held.
func (c *client) pushUnlogged(f *publication) {
	if f.key.Kind == messages.KindPartial {
		for i := len(c.queue) - 1; i >= 0; i-- {
			if old := c.queue[i]; old.key == f.key {
				c.bytes += len(f.body) - len(old.body)
				c.queue[i] = f
				c.metrics.Drop(metrics.DropPartialReplaced)
				return
			}
		}
	}
	if c.isFull(f) {
		c.missed++
		c.metrics.Drop(metrics.DropSubscriberFull)
		return
	}
	c.queue, c.bytes = append(c.queue, f), c.bytes+len(f.body)
}

// finish ends the subscription once it has written what is queued. Only the first call counts.
func (c *client) finish(e ending) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.end == nil {
		c.end = &e
	}
	c.notify()
}

// notify wakes the subscription.
func (c *client) notify() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// take returns what is queued, and empties the queue. The publications of the call before count as
// written.
func (c *client) take(reuse []*publication) delivery {
	c.mu.Lock()
	defer c.mu.Unlock()
	d := delivery{publications: append(reuse[:0], c.queue...), after: c.after, end: c.end}
	clear(c.queue)
	c.queue, c.writing, c.bytes = c.queue[:0], c.bytes, 0
	if c.lagged && len(d.publications) == 0 {
		d.lag = &Lag{From: c.after + 1, Missed: c.missed}
		c.missed = 0
	}
	return d
}

// ended returns how the subscription is to end, nil as long as it is not.
func (c *client) ended() *ending {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.end
}

// resume readies the client for joining its hub: everything up to the position was written.
func (c *client) resume(after int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.after, c.lagged, c.writing = after, false, 0
}

package session

import (
	"context"
	"sync"
)

// collectors runs a collector for each lane that has utterances under recognition, and the feeders
// of these utterances. A silent lane has no collector, since a goroutine's stack would be much of
// the memory of a silent session.
type collectors struct {
	// settles what is in the lane's queue; it returns when the queue is empty or the session's life
	// has ended
	collect func(*lane)
	over    func() // called once: when open was called, no collector or feeder runs any more and none will

	mu      sync.Mutex
	running int
	opened  bool
	ended   bool // no utterance follows
}

// open says that over may be called from now on.
func (c *collectors) open() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.opened = true
	if c.finished() {
		go c.over()
	}
}

// finished reports whether over is to be called. It is called with mu held.
func (c *collectors) finished() bool { return c.opened && c.ended && c.running == 0 }

// start runs f, which calls done at its end, on a goroutine of its own, and reports whether it did:
// not where over was called.
func (c *collectors) start(f func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.enter() {
		return false
	}
	go f()
	return true
}

// done is called at the end of what start has run.
func (c *collectors) done() {
	c.mu.Lock()
	last := c.exit()
	c.mu.Unlock()
	if last {
		c.over()
	}
}

// enter counts a goroutine that is about to start, unless over was called. It is called with mu
// held.
func (c *collectors) enter() bool {
	if c.ended && c.running == 0 {
		return false
	}
	c.running++
	return true
}

// exit counts off a goroutine that ends, and reports whether over is to be called. It is called
// with mu held.
func (c *collectors) exit() (last bool) {
	c.running--
	return c.finished()
}

// queue hands an utterance or a fence to the lane's collector. It waits while that has many. Its
// error is why the session's life has ended.
func (c *collectors) queue(l *lane, u *utterance) error {
	select {
	case l.queue <- u:
		c.begin(l)
		return nil
	case <-l.run.life.Done():
		return context.Cause(l.run.life)
	}
}

// begin starts the lane's collector unless it runs. The writer calls it after it has put an
// utterance into the queue.
func (c *collectors) begin(l *lane) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if l.collected || !c.enter() {
		return
	}
	l.collected = true
	go c.run(l)
}

// run is a collector's goroutine.
func (c *collectors) run(l *lane) {
	for {
		c.collect(l)
		if last, left := c.leave(l); left {
			if last {
				c.over()
			}
			return
		}
	}
}

// leave ends a lane's collector unless its queue has utterances. last reports that over is to be
// called.
func (c *collectors) leave(l *lane) (last, left bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(l.queue) > 0 && l.run.life.Err() == nil {
		return false, false
	}
	l.collected = false
	return c.exit(), true
}

// end is called when no utterance follows. Only the first call counts.
func (c *collectors) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return
	}
	c.ended = true
	if c.finished() {
		go c.over()
	}
}

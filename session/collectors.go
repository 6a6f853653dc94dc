package session

import (
	"context"
	"sync"
)

// collectors runs a collector for each lane that has utterances under recognition, and the feeders
// of these utterances. A silent lane has no collector, since a goroutine's stack would be much of
// the memory of a silent session.
type collectors struct {
	// handles the lane's queue; returns when the queue is empty or the session's life has ended
	collect func(*lane)
	over    func() // called once: after open, when no collector or feeder runs and none will

	mu      sync.Mutex
	running int
	opened  bool
	ended   bool // no utterance follows
}

// open allows over to be called.
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

// start runs f on a new goroutine and reports whether it did: it does not once over was called. f
// must call done when it returns.
func (c *collectors) start(f func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.enter() {
		return false
	}
	go f()
	return true
}

// done is called when a function run by start returns.
func (c *collectors) done() {
	c.mu.Lock()
	last := c.exit()
	c.mu.Unlock()
	if last {
		c.over()
	}
}

// enter counts a goroutine that is about to start. It returns false once over was called. It is
// called with mu held.
func (c *collectors) enter() bool {
	if c.ended && c.running == 0 {
		return false
	}
	c.running++
	return true
}

// exit uncounts a goroutine that returns, and reports whether over is to be called. It is called
// with mu held.
func (c *collectors) exit() (last bool) {
	c.running--
	return c.finished()
}

// queue sends an utterance or a fence to the lane's collector. It blocks while the lane's queue is
// full. Its error is the cause of the end of the session's life.
func (c *collectors) queue(l *lane, u *utterance) error {
	select {
	case l.queue <- u:
		c.begin(l)
		return nil
	case <-l.run.life.Done():
		return context.Cause(l.run.life)
	}
}

// begin starts the lane's collector unless it runs. The writer calls it after each send to the
// queue.
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

// leave stops a lane's collector unless its queue holds utterances. last reports that over is to be
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

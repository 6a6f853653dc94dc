package addontest

import (
	"context"
	"sync"
	"time"
)

// Clock is a clock that stands still until the test moves it. Its zero value is ready to use; the
// time begins at zero.
type Clock struct {
	mu       sync.Mutex
	now      time.Time
	timeouts []*timeout
}

// timeout is a context that ends with [context.DeadlineExceeded] when the clock reaches its
// deadline.
type timeout struct {
	context.Context
	deadline time.Time
	cancel   context.CancelFunc

	mu      sync.Mutex
	expired bool
}

// Now returns the clock's time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// WithTimeout returns a context that ends when the clock has moved by d.
func (c *Clock) WithTimeout(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := &timeout{deadline: c.now.Add(d)}
	t.Context, t.cancel = context.WithCancel(ctx)
	c.timeouts = append(c.timeouts, t)
	return t, t.cancel
}

// Advance moves the clock forward by d and expires the contexts whose deadline it reaches.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	waiting := c.timeouts[:0]
	for _, t := range c.timeouts {
		if c.now.Before(t.deadline) {
			waiting = append(waiting, t)
			continue
		}
		t.expire()
	}
	c.timeouts = waiting
}

func (t *timeout) expire() {
	t.mu.Lock()
	t.expired = t.Context.Err() == nil
	t.mu.Unlock()
	t.cancel()
}

// Deadline implements [context.Context], by the test's clock.
func (t *timeout) Deadline() (time.Time, bool) { return t.deadline, true }

// Err implements [context.Context].
func (t *timeout) Err() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.expired {
		return context.DeadlineExceeded
	}
	return t.Context.Err()
}

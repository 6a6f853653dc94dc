package realtime

import (
	"slices"
	"sync"
	"time"
)

// pool holds connections between utterances. Its methods may be called from any goroutine.
type pool struct {
	idle  time.Duration          // how long a connection is kept
	begin func(task func()) bool // runs a task that the recognizer waits for

	mu     sync.Mutex
	conns  []*conn // the newest last
	closed bool
}

// take returns a connection for the settings, nil if there is none. fresh makes it return none:
// those that there are may all have been closed by the server. So that there are not more of them
// than utterances at a time, one is closed where none is returned.
func (p *pool) take(s settings, fresh bool) *conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	best := -1
	if !fresh {
		best = compatible(p.conns, s)
	}
	if best < 0 {
		if len(p.conns) > 0 {
			p.expel(p.conns[0])
		}
		return nil
	}
	c := p.conns[best]
	p.conns = slices.Delete(p.conns, best, best+1)
	c.idle.Stop()
	c.reused = true
	c.busy.Store(true)
	return c
}

// put keeps a connection that nobody uses.
func (p *pool) put(c *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		c.cut()
		return
	}
	c.busy.Store(false)
	if !c.drain() {
		return // the reader has called drop, or finds it gone
	}
	p.conns = append(p.conns, c)
	c.idle = time.AfterFunc(p.idle, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.expel(c)
	})
}

// expel closes a connection, if it is still here. The caller holds the lock.
func (p *pool) expel(c *conn) {
	if p.remove(c) {
		p.begin(c.leave) // else Close ends it
	}
}

// drop removes a connection that is closed.
func (p *pool) drop(c *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.remove(c)
}

// remove returns whether the connection was here. The caller holds the lock.
func (p *pool) remove(c *conn) bool {
	i := slices.Index(p.conns, c)
	if i < 0 {
		return false
	}
	p.conns = slices.Delete(p.conns, i, i+1)
	c.idle.Stop()
	return true
}

// close closes all connections, and waits for that. Those that are put later are cut.
func (p *pool) close() {
	p.mu.Lock()
	conns := p.conns
	p.closed, p.conns = true, nil
	p.mu.Unlock()
	var leaving sync.WaitGroup
	for _, c := range conns {
		c.idle.Stop()
		leaving.Go(c.leave)
	}
	leaving.Wait()
}

package claims

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"steno/session"
	"steno/session/store"
	"steno/session/store/valkey/server"
	"steno/session/store/valkey/tier"
)

const (
	// fullAfter is how much audio may wait for the server before the writer has to.
	fullAfter = 30 * time.Second
	// fullTail is how many bytes may wait for blob storage before the writer has to, unless
	// fullAfter is more.
	fullTail = 2 << 20
)

// wanted is how soon a handle wants a call.
type wanted int32

const (
	wantNothing wanted = iota
	wantSoon           // within gatherTime
	wantNow
)

// Claim is the claim on a session, and what its holder has in memory.
type claim struct {
	room       *room
	id         string
	record     map[string]string // as it was claimed
	folder     string            // begins the names of the record's blobs
	nonce      string
	generation int64
	seized     bool  // from another handle
	limit      int64 // bytes that may wait for the server
	losses     []session.Loss

	lost     chan struct{}   // closed when the claim has ended otherwise than by Release
	work     chan struct{}   // has room for one: want has risen
	life     context.Context // ends with the claim
	end      context.CancelFunc
	closing  chan struct{} // closed by Release
	followed atomic.Bool   // unlogged events are followed

	mu       sync.Mutex
	accepted acceptedState
	told     session.Progress // how far the state is durable
	want     wanted
	cause    error
	closed   bool
	ends     time.Time     // of the lease
	asked    time.Time     // of the last commit that returned how many follow
	full     chan struct{} // not nil while the writer has to wait
	grown    chan struct{} // closed, and replaced, when more is durable
	upload   upload        // of a segment
	paging   upload        // of a page
}

// raise wants a call to the server.
func (c *claim) raise(want wanted) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.raiseLocked(want)
}

func (c *claim) raiseLocked(want wanted) {
	if want <= c.want {
		return
	}
	c.want = want
	select {
	case c.work <- struct{}{}:
	default:
	}
}

// measure decides whether the writer has to wait. It is called with mu held.
func (c *claim) measure() {
	a := &c.accepted
	waiting, local := a.journal.End()-a.durable, int64(len(a.journal.Bytes))
	switch room := max(c.limit, fullTail); {
	case c.full == nil && c.cause == nil && (waiting > c.limit || local > room):
		c.full = make(chan struct{})
	case c.full != nil && (c.cause != nil || waiting <= c.limit/2 && local <= room):
		close(c.full)
		c.full = nil
	}
}

// isLost tells whether the claim has ended otherwise than by Release.
func (c *claim) isLost() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.cause != nil
}

// lose ends a claim that the server has ended, for the cause.
func (c *claim) lose(cause error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cause != nil || c.closed {
		return
	}
	c.cause = cause
	close(c.lost)
	close(c.grown)
	c.grown = make(chan struct{})
	c.measure()
	c.end()
}

// leaseEnds is when the lease runs out, by this process's clock.
func (c *claim) leaseEnds() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ends
}

// renewed notes that the server, asked at a time, said how long the lease lasts.
func (c *claim) renewed(asked time.Time, left time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if ends := asked.Add(left); ends.After(c.ends) {
		c.ends = ends
	}
}

// lastAsked returns when the last commit was begun that returned how many follow the unlogged
// events.
func (c *claim) lastAsked() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.asked
}

// claimArgs are the first arguments of what the holder of a claim does.
func (c *claim) claimArgs() []string {
	return []string{c.id, c.nonce, server.Decimal(c.generation), c.folder}
}

// Losses implements store.Live.
func (c *claim) Losses() []session.Loss { return c.losses }

// upload is the state of a handle's segment or page on its way to blob storage.
type upload struct {
	running bool
	done    *tier.Segment // it is there, and not yet in the manifest
	at      int           // of a page: flusher.restored when its events were read
	bytes   int64         // of a page: what its events took on the server, about
	tried   bool          // it was to be put into the manifest: it may be there, though no answer has confirmed it
}

// check returns why a call is refused. It is called with mu held.
func (c *claim) check(ctx context.Context, what string) error {
	err := ctx.Err()
	switch {
	case err != nil:
	case c.closed:
		err = store.ErrLost
	default:
		err = c.cause
	}
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// left tells whether the server lacks anything.
func (c *claim) left() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.accepted.pending() || c.upload.done != nil || c.paging.done != nil
}

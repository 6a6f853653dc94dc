package valkey

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"steno/messages"
	"steno/session/store"
	"steno/session/store/valkey/server"
	"steno/session/store/valkey/tier"
)

const (
	// fullAfter is how much audio may wait for the server before the writer has to.
	fullAfter = 30 * time.Second
	// fullTail is how many bytes may wait for blob storage before the writer has to, unless fullAfter is more.
	fullTail = 2 << 20
)

// wanted says how soon a handle wants a call.
type wanted int32

const (
	wantNothing wanted = iota
	wantSoon           // within gatherTime
	wantNow
)

// claim is the claim on a session, and what its holder has in memory.
type claim struct {
	sessions   *sessions
	id         string
	record     map[string]string // as it was claimed
	folder     string            // begins the names of the record's blobs
	nonce      string
	generation int64
	seized     bool  // from another handle
	limit      int64 // bytes that may wait for the server
	losses     []store.Loss

	lost     chan struct{}   // closed when the claim has ended otherwise than by Release
	work     chan struct{}   // has room for one: want has risen
	life     context.Context // ends with the claim
	end      context.CancelFunc
	closing  chan struct{} // closed by Release
	followed atomic.Bool   // unlogged events are followed

	mu       sync.Mutex
	accepted acceptedState
	told     store.Progress // how far the state is durable
	want     wanted
	cause    error
	closed   bool
	ends     time.Time     // of the lease
	asked    time.Time     // of the last commit that told how many follow
	full     chan struct{} // not nil while the writer has to wait
	grown    chan struct{} // closed, and replaced, when more is durable
	upload   upload        // of a segment
	paging   upload        // of a page
}

var sessionClaim = scripts.Script("session_claim", "record", "session", "session_loss")

// Claim implements store.Sessions.
func (s *sessions) Claim(ctx context.Context, id string, intent store.Intent) (store.Live, error) {
	l := s.newLive(id)
	l.connections = s.server.Connections.Load()
	if err := l.ask(ctx, intent); err != nil {
		l.end()
		if !errors.Is(err, store.ErrClaimed) && !errors.Is(err, store.ErrNotFound) {
			s.running.Go(func() {
				_ = s.server.Insist(s.life, sessionRelease, append(l.claimArgs(), server.Milliseconds(s.window))...)
			}) // it may have been claimed
		}
		return nil, fmt.Errorf("claim session: %w", err)
	}
	s.probe(id) // a former handle of this process
	s.mu.Lock()
	s.handles[l], s.holders[id] = true, l
	s.mu.Unlock()
	l.flushing.Go(l.flush)
	return l, nil
}

func (s *sessions) newLive(id string) *live {
	c := &claim{
		sessions: s, id: id, nonce: rand.Text(),
		lost: make(chan struct{}), work: make(chan struct{}, 1), closing: make(chan struct{}), grown: make(chan struct{}),
	}
	c.accepted.seqs = map[messages.Key]int64{}
	c.accepted.checkpoints, c.accepted.saved = map[int][]byte{}, map[int][]byte{}
	c.life, c.end = context.WithCancel(context.Background())
	f := &flusher{claim: c, pace: rate.NewLimiter(rate.Every(commitEvery), commitBurst)}
	return &live{flusher: f, released: make(chan struct{}), ahead: tier.ReadAhead{Size: tier.SegmentSize}}
}

// ask asks the server for the session and loads its state.
func (c *claim) ask(ctx context.Context, intent store.Intent) error {
	s := c.sessions
	c.seized = intent != store.IfFree
	asked := time.Now()
	m, err := s.server.Run(ctx, sessionClaim, c.id, c.nonce, s.node, server.Milliseconds(s.lease), server.Milliseconds(s.window), string(intent))
	if err != nil {
		return err
	}
	left, err := c.load(m)
	if err != nil {
		return err
	}
	c.renewed(asked, left)
	return c.loadEvents(ctx)
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

// lose ends a claim that the server says has ended.
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

// lastAsked is when the last commit was begun that told how many follow the unlogged events.
func (c *claim) lastAsked() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.asked
}

// claimArgs are the first arguments of what the holder of a claim does.
func (c *claim) claimArgs() []string {
	return []string{c.id, c.nonce, server.Decimal(c.generation), c.folder}
}

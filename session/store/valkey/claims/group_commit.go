package claims

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/valkey-io/valkey-go"

	"steno/session/store"
	"steno/session/store/valkey/server"
)

const (
	// groupEvery is the least time between the beginnings of two calls that are not full: what is
	// accepted meanwhile goes with the second one. A commit that comes to a store at rest goes at
	// once.
	groupEvery = 3 * time.Millisecond
	// maxGroup, maxGroupBytes and maxGroupChanges bound what one call makes durable: sessions,
	// bytes of audio and of bodies, changes other than audio and boundaries. So a call takes the
	// server about a millisecond. A single commit that is larger goes alone.
	maxGroup        = 128
	maxGroupBytes   = 512 << 10
	maxGroupChanges = 128
	// groupCalls bounds the calls under way, groupWaits those of a tier that waits for replicas or
	// the disk, which may take a second each.
	groupCalls = 4
	groupWaits = 64
)

// groupCommit makes durable what many sessions have accepted with one call to the server, of each
// session all or nothing, whatever becomes of the others. A goroutine of its own gathers the
// commits until close, and each call has one.
type groupCommit struct {
	writer        server.Writer
	lease, window string        // in milliseconds
	work          chan struct{} // has room for one: something waits
	slots         chan struct{} // has room for the calls under way
	life          context.Context
	end           context.CancelFunc
	running       sync.WaitGroup

	mu      sync.Mutex
	waiting []*sessionCommit // in the order of arrival
}

// sessionCommit is what is to be made durable of one session.
type sessionCommit struct {
	args    []string // for the script
	bytes   int      // of audio and bodies
	changes int
	done    chan struct{} // closed with the answer
	answer  commitAnswer
}

// commitAnswer is the server's answer to the commit of one session.
type commitAnswer struct {
	err       error         // those of server.run
	word      string        // "behind", "other", or nothing where it was carried out
	left      time.Duration // of the lease
	followers int64         // of the unlogged events; below 0 where that was not asked
}

var commitScript = Scripts.Script("session_commit", "record", "session", "account")

// newGroupCommit begins to gather. The caller must close it.
func newGroupCommit(w server.Writer, lease, window time.Duration) *groupCommit {
	g := &groupCommit{writer: w, lease: server.Milliseconds(lease), window: server.Milliseconds(window),
		work: make(chan struct{}, 1)}
	calls := groupCalls
	if w.Waits() {
		calls = groupWaits
	}
	g.slots = make(chan struct{}, calls)
	g.life, g.end = context.WithCancel(context.Background())
	g.running.Go(g.gather)
	return g
}

// Close ends calls under way, and waits for them.
func (g *groupCommit) close() {
	g.end()
	g.running.Wait()
}

// commit waits until the server has answered a commit. Where ctx ends before, the commit may be
// carried out later.
func (g *groupCommit) commit(ctx context.Context, c *sessionCommit) commitAnswer {
	c.done = make(chan struct{})
	g.mu.Lock()
	g.waiting = append(g.waiting, c)
	g.mu.Unlock()
	select {
	case g.work <- struct{}{}:
	default:
	}
	select {
	case <-c.done:
		return c.answer
	case <-ctx.Done():
		return commitAnswer{err: ctx.Err()}
	case <-g.life.Done():
		return commitAnswer{err: g.life.Err()}
	}
}

// gather makes calls of what waits, until close.
func (g *groupCommit) gather() {
	var next time.Time // when a call may begin that is not full
	pause := time.NewTimer(0)
	defer pause.Stop()
	for {
		select {
		case <-g.life.Done():
			return
		case <-g.work:
		}
		if wait := time.Until(next); wait > 0 && !g.full() {
			pause.Reset(wait)
			select {
			case <-g.life.Done():
				return
			case <-pause.C:
			}
		}
		select {
		case <-g.life.Done():
			return
		case g.slots <- struct{}{}:
		}
		next = time.Now().Add(groupEvery)
		group := g.take()
		g.running.Go(func() {
			defer func() { <-g.slots }()
			g.call(group)
		})
	}
}

// full tells whether a call would be full.
func (g *groupCommit) full() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return groupSize(g.waiting) < len(g.waiting)
}

// groupSize is how many of the commits that wait fit into one call.
func groupSize(waiting []*sessionCommit) int {
	bytes, changes := 0, 0
	for i, c := range waiting {
		bytes += c.bytes
		changes += c.changes
		if i == maxGroup || i > 0 && (bytes > maxGroupBytes || changes > maxGroupChanges) {
			return i
		}
	}
	return len(waiting)
}

// take takes what fits into one call. Where something is left it is looked at next.
func (g *groupCommit) take() []*sessionCommit {
	g.mu.Lock()
	defer g.mu.Unlock()
	n := groupSize(g.waiting)
	group := g.waiting[:n:n]
	if g.waiting = g.waiting[n:]; len(g.waiting) > 0 {
		select {
		case g.work <- struct{}{}:
		default:
		}
	}
	return group
}

// call has the server carry out a group, and answers each of its commits.
func (g *groupCommit) call(group []*sessionCommit) {
	if len(group) == 0 {
		return
	}
	size := 2
	for _, c := range group {
		size += 1 + len(c.args)
	}
	args := append(make([]string, 0, size), g.lease, g.window)
	for _, c := range group {
		args = append(append(args, server.Decimal(int64(len(c.args)))), c.args...)
	}
	m, err := g.writer.Run(g.life, commitScript, args...)
	var answers []valkey.ValkeyMessage
	if err == nil {
		if answers, err = m.ToArray(); err != nil || len(answers) != 2*len(group) {
			err = fmt.Errorf("%w: %d answers to %d commits: %w", store.ErrAway, len(answers)/2, len(group), err)
		}
	}
	for i, c := range group {
		if err != nil {
			c.answer.err = err
		} else {
			c.answer = g.readAnswer(answers[2*i], answers[2*i+1])
		}
		close(c.done)
	}
}

// readAnswer reads the server's answer to one commit.
func (g *groupCommit) readAnswer(result, followers valkey.ValkeyMessage) (a commitAnswer) {
	if err := result.Error(); err != nil {
		return commitAnswer{err: server.Error(g.life, err)}
	}
	if !result.IsInt64() {
		var r server.Reader
		a.word = r.Text(result)
		a.err = r.Err
		return a
	}
	var r server.Reader
	a.left = time.Duration(r.Integer(result)) * time.Millisecond
	a.followers = r.Integer(followers)
	a.err = r.Err
	return a
}

package live

import (
	"sync"
	"time"
)

const (
	// maxCutOff is how long sockets stay at a node that does not reach the store: what it can hold
	// of audio meanwhile is 30 s, and a client that sends no faster than it plays is not held up
	// before it is told.
	maxCutOff = 20 * time.Second
	// minReportEvery and maxReportEvery bound the time between two reports of what this node
	// counts.
	minReportEvery = 50 * time.Millisecond
	maxReportEvery = 2 * time.Second
	// surelyLost is how many reports must fail in a row before the node counts as cut off: the
	// first report of a process that was paused fails too.
	surelyLost = 2
)

// reach is how long ago a node was last known to reach its store. Its methods may be called from
// any goroutine.
type reach struct {
	mu     sync.Mutex
	last   time.Time // when the last call began that the store has answered
	failed int       // reports since then
	told   bool      // that the node is cut off was logged
}

// note takes the result of a report that began at a time, or of another call that the store has
// answered.
func (r *reach) note(began time.Time, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		r.failed++
		return
	}
	r.last, r.failed = began, 0
}

// lost returns for how long the store has been out of reach; 0 while it is not known to be.
func (r *reach) lost(now time.Time) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failed < surelyLost {
		return 0
	}
	return now.Sub(r.last)
}

// tell reports whether the node has become cut off since the last call, given whether it is now.
func (r *reach) tell(cutOff bool) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	fresh := cutOff && !r.told
	r.told = cutOff
	return fresh
}

package live

import (
	"sync"
	"time"
)

const (
	// maxCutOff is how long sockets stay at a node that does not reach the store. The node can hold
	// 30 s of audio, so a client that sends in real time is not blocked before its socket is
	// closed.
	maxCutOff = 20 * time.Second
	// minReportEvery and maxReportEvery bound the interval between two reports of this node's
	// counts.
	minReportEvery = 50 * time.Millisecond
	maxReportEvery = 2 * time.Second
	// surelyLost is how many reports must fail in a row before the node counts as cut off: the
	// first report of a process that was paused fails too.
	surelyLost = 2
)

// reach records when a node last reached its store. Its methods may be called from any goroutine.
type reach struct {
	mu     sync.Mutex
	last   time.Time // start of the last call that the store has answered
	failed int       // failed reports since then
	told   bool      // the node's being cut off was logged
}

// note records the result of a report, or of another call that the store has answered, which
// started at began.
func (r *reach) note(began time.Time, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		r.failed++
		return
	}
	r.last, r.failed = began, 0
}

// lost returns how long the store has been out of reach; 0 unless that is certain.
func (r *reach) lost(now time.Time) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failed < surelyLost {
		return 0
	}
	return now.Sub(r.last)
}

// tell reports whether the node was cut off since the last call. cutOff is whether it is now.
func (r *reach) tell(cutOff bool) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	fresh := cutOff && !r.told
	r.told = cutOff
	return fresh
}

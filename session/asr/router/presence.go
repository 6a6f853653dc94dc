package router

import (
	"sync"
	"time"
)

// The pauses between questions to what is away: the first and the longest, doubled in between.
const (
	firstPause   = 250 * time.Millisecond
	longestPause = 5 * time.Second
)

// presence is whether something answers, as those find out who need it. While it is away only one of them asks at a
// time, and not too often: not knowing costs each up to a timeout.
type presence struct {
	mu     sync.Mutex
	since  time.Time // when it went away; zero: it is here
	last   time.Time // when it was last found away
	next   time.Time // when it may be asked again
	pause  time.Duration
	asking bool // somebody asks whether it is back
}

// ask tells whether to ask it now. Where it is away the caller then owes answered, failed or given.
func (p *presence) ask() (ok, away bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.since.IsZero() {
		return true, false
	}
	if p.asking || time.Now().Before(p.next) {
		return false, true
	}
	p.asking = true
	return true, true
}

// given takes a question back that was not answered for the asker's reasons.
func (p *presence) given(away bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asking = p.asking && !away
}

func (p *presence) answered() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.since, p.asking = time.Time{}, false
}

// failed notes that a question begun at the time given had no answer; away is what ask told.
func (p *presence) failed(begun time.Time, away bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch now := time.Now(); {
	case p.since.IsZero():
		p.since, p.last, p.pause = begun, now, firstPause
		p.next = now.Add(p.pause)
	case away:
		p.pause = min(2*p.pause, longestPause)
		p.last, p.next, p.asking = now, now.Add(p.pause), false
	}
}

// soon lets the next one ask at once: there is reason to think that it is back.
func (p *presence) soon() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.next = time.Time{}
}

// away tells for how long it has been away; 0: it is here.
func (p *presence) away() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.since.IsZero() {
		return 0
	}
	return max(time.Since(p.since), 1)
}

// due tells whether asking is of use now: it is here, or may be back.
func (p *presence) due() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.since.IsZero() || !p.asking && !time.Now().Before(p.next)
}

// awayAfter tells whether it was found away since a point in time, and is still.
func (p *presence) awayAfter(t time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return !p.since.IsZero() && p.last.After(t)
}

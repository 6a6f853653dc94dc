package client

import "time"

// pauseTimer notices that the client sends no audio for a time on an open socket, which the session
// then treats as silence. The clock decides where silence starts; the journal keeps the place. The
// zero value never fires. It is guarded by intake.mu.
type pauseTimer struct {
	after time.Duration // 0: never
	last  time.Time     // of the last audio, or of the socket's start
	timer *time.Timer
	armed bool
}

// newPauseTimer returns a timer that calls fire, on a goroutine of its own, after a time without
// audio.
func newPauseTimer(after time.Duration, fire func()) pauseTimer {
	return pauseTimer{after: after, last: time.Now(), armed: true, timer: time.AfterFunc(after, fire)}
}

// heard records that audio has arrived.
func (p *pauseTimer) heard() {
	if p.after == 0 {
		return
	}
	p.last = time.Now()
	if !p.armed {
		p.armed = true
		p.timer.Reset(p.after)
	}
}

// over reports whether the pause is long enough, when the timer fires. If it is not, or the reader
// is within a message, the timer continues; if it is, the next audio sets it again.
func (p *pauseTimer) over(within bool) bool {
	left := p.after - time.Since(p.last)
	if within {
		left = p.after
	}
	if left > 0 {
		p.timer.Reset(left)
		return false
	}
	p.armed = false
	return true
}

// stop stops the timer.
func (p *pauseTimer) stop() {
	if p.timer != nil {
		p.timer.Stop()
	}
}

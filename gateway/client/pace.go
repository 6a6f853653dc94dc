package client

import (
	"sync"
	"time"

	"steno/gateway/limits"
)

// pace bounds how much faster than real time a session accepts audio. A client that catches up, or
// sends a whole clip in one go, has an allowance that is restored while it sends less than the
// rate. Once it is used up, the socket is read at the rate. A session keeps its pace across
// sockets. Its methods may be called from any goroutine.
type pace struct {
	rate  float64 // seconds of audio in a second
	burst time.Duration

	mu    sync.Mutex
	whole time.Time // when the allowance is complete again
}

func newPace(l *limits.Limits) *pace { return &pace{rate: float64(l.Pace), burst: l.Burst} }

// spend counts accepted audio.
func (p *pace) spend(audio time.Duration, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.whole.Before(now) {
		p.whole = now
	}
	p.whole = p.whole.Add(p.lasts(audio))
}

// wait returns how long no more audio may be accepted; 0: it may.
func (p *pace) wait(now time.Time) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.whole.Before(now) {
		return 0
	}
	return max(0, p.whole.Sub(now)-p.lasts(p.burst))
}

// lasts returns how long so much audio takes at the rate.
func (p *pace) lasts(audio time.Duration) time.Duration {
	return time.Duration(float64(audio) / p.rate)
}

package client

import (
	"sync"
	"time"

	"steno/session"
)

// ackDelay is how long an ack may wait for more audio to acknowledge.
const ackDelay = 100 * time.Millisecond

// acker acknowledges audio: immediately if there is enough of it, else after ackDelay, or earlier
// if the reader would let messages accumulate beyond that. Its methods may be called from any
// goroutine, due and rest by the reader.
type acker struct {
	wanted  bool // by the socket or by callbacks
	session *session.Session

	mu     sync.Mutex
	owing  bool          // audio was received that is not acknowledged
	pause  time.Duration // for which messages accumulate; 0: they do not
	waited time.Duration // longest accumulation of audio that is not acknowledged
	over   bool
	timer  *time.Timer
	armed  bool
}

// due is called after each message with audio. force asks for an ack however little there is. It
// reports whether one was sent.
func (a *acker) due(force bool) bool {
	if !a.wanted {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.over {
		return false
	}
	_, sent := a.session.Acknowledge(force)
	if !sent && a.pause == 0 && !(a.owing && a.armed) {
		a.arm()
	}
	if a.owing = !sent; sent {
		a.waited = 0
	}
	return sent
}

// rest is called before the reader waits. pause is how long messages accumulate in the meantime; 0:
// they do not.
func (a *acker) rest(pause time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.owing {
		a.waited += a.pause
	}
	switch {
	case !a.owing:
	case a.pause == 0 && !a.armed:
		a.arm()
	case a.pause > 0 && (pause == 0 || a.waited+pause > ackDelay):
		a.acknowledge()
	}
	a.pause = pause
}

// arm sets the timer. It is called with mu held.
func (a *acker) arm() {
	a.armed = true
	if a.timer == nil {
		a.timer = time.AfterFunc(ackDelay, a.flush)
		return
	}
	a.timer.Reset(ackDelay)
}

// flush acknowledges the rest.
func (a *acker) flush() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.armed = false
	a.acknowledge()
}

// acknowledge is flush with mu held.
func (a *acker) acknowledge() {
	if a.owing && !a.over {
		a.owing, a.waited = false, 0
		a.session.Acknowledge(true)
	}
}

// end ensures that no further ack is sent.
func (a *acker) end() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.over = true
	if a.timer != nil {
		a.timer.Stop()
	}
}

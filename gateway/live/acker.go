package live

import (
	"sync"
	"time"

	"steno/session"
)

// ackDelay is how long an ack may wait for more audio to acknowledge.
const ackDelay = 100 * time.Millisecond

// acker acknowledges audio: at once if there is enough of it, else after ackDelay. Its methods may be called from any goroutine.
type acker struct {
	wanted  bool // by the socket or by callbacks
	session *session.Session

	mu    sync.Mutex
	owing bool // audio was received that is not acknowledged
	over  bool
	timer *time.Timer
}

// due is called after each message with audio. force asks for an ack however little there is. It reports whether one was sent.
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
	if !sent && !a.owing {
		a.arm()
	}
	a.owing = !sent
	return sent
}

// arm sets the timer. It is called with mu held.
func (a *acker) arm() {
	if a.timer == nil {
		a.timer = time.AfterFunc(ackDelay, a.flush)
		return
	}
	a.timer.Reset(ackDelay)
}

// flush sends the ack that is waiting.
func (a *acker) flush() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.owing && !a.over {
		a.owing = false
		a.session.Acknowledge(true)
	}
}

// end makes sure that no further ack is sent.
func (a *acker) end() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.over = true
	if a.timer != nil {
		a.timer.Stop()
	}
}

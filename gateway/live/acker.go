package live

import (
	"sync"
	"time"

	"steno/session"
)

// ackDelay is how long small messages may wait for a shared ack.
const ackDelay = 100 * time.Millisecond

// acker sees that audio is acknowledged: at once where there is enough of it, else after a short while.
type acker struct {
	wanted  bool // by the socket or by callbacks
	session *session.Session

	mu    sync.Mutex
	owing bool // something was received that is not acknowledged
	over  bool
	timer *time.Timer
}

// due is called after each message with audio: force asks for an ack however little it is. It tells whether one went
// out.
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

// arm sets the timer for the first message of a shared ack. Called with mu held.
func (a *acker) arm() {
	if a.timer == nil {
		a.timer = time.AfterFunc(ackDelay, a.flush)
		return
	}
	a.timer.Reset(ackDelay)
}

// flush acknowledges what is owed.
func (a *acker) flush() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.owing && !a.over {
		a.owing = false
		a.session.Acknowledge(true)
	}
}

// end makes sure that no ack follows.
func (a *acker) end() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.over = true
	if a.timer != nil {
		a.timer.Stop()
	}
}

package live

import (
	"sync"
	"time"

	"steno/gateway/limits"
)

// readSize is the most bytes that one read waits for: so few that even a slow client completes it in time.
const readSize = 16 << 10

// readWaits measures how long a socket's reader waits for its client. Time that the server spends on what came, or in which it
// does not read because the session is behind, counts for no limit. Its methods may be called from any goroutine.
type readWaits struct {
	mu      sync.Mutex
	since   time.Time     // when waiting began
	waiting bool          // else the reader deals with what came
	open    bool          // a message has begun and not ended
	bytes   int64         // of the open message
	waited  time.Duration // for these bytes
}

// begin notes that a message has begun.
func (w *readWaits) begin() { w.set(true) }

// end notes that the message has ended.
func (w *readWaits) end() { w.set(false) }

func (w *readWaits) set(open bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.open, w.bytes, w.waited, w.waiting = open, 0, 0, false
}

// await notes that the reader waits for the client from now on.
func (w *readWaits) await() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.since, w.waiting = time.Now(), true
}

// got notes that n bytes of a message came.
func (w *readWaits) got(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.bytes += int64(n)
	if w.waiting {
		w.waited += time.Since(w.since)
		w.waiting = false
	}
}

// within reports whether a message has begun and not ended.
func (w *readWaits) within() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.open
}

// idle is how long the client has sent nothing.
func (w *readWaits) idle(now time.Time) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.waiting {
		return 0
	}
	return now.Sub(w.since)
}

// stalled reports whether a message has begun and does not go on: nothing came for the whole stall, or less than the rate over
// the time that the reader has waited for it.
func (w *readWaits) stalled(now time.Time, l *limits.Limits) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.waiting || !w.open {
		return false
	}
	wait := now.Sub(w.since)
	earned := time.Duration(float64(w.bytes) / float64(l.FrameRate) * float64(time.Second))
	return wait > l.FrameStall || w.waited+wait > l.FrameStall+earned
}

// silent returns how long a client has sent nothing, answers to pings included, since a ping was sent. Within a message it
// cannot answer.
func (w *readWaits) silent(now, asked time.Time) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.waiting || w.open {
		return 0
	}
	if asked.Before(w.since) {
		asked = w.since
	}
	return now.Sub(asked)
}

package wsconn

import (
	"sync"
	"time"
)

// clock measures how long the reader of a connection waits for its client. Time that the server
// spends on what has come, or in which it does not read because it is busy, counts for no limit.
// Its methods may be called from any goroutine.
type clock struct {
	mu      sync.Mutex
	since   time.Time     // when waiting began
	waiting bool          // else the reader deals with what has come
	open    bool          // a message has begun, and the reader is not ready for the next
	bytes   int64         // of the open message
	waited  time.Duration // for these bytes
}

// begin notes that a message has begun.
func (w *clock) begin() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.open, w.bytes, w.waited, w.waiting = true, 0, 0, false
}

// rest notes that the reader is ready for the next message and waits for the client from now on.
func (w *clock) rest() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.open, w.bytes, w.waited = false, 0, 0
	w.since, w.waiting = time.Now(), true
}

// await notes that the reader waits for more of a message from now on.
func (w *clock) await() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.since, w.waiting = time.Now(), true
}

// got notes that n bytes of a message have come.
func (w *clock) got(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.bytes += int64(n)
	if w.waiting {
		w.waited += time.Since(w.since)
		w.waiting = false
	}
}

// Within reports whether a message has begun and its reader is not done with it.
func (w *clock) Within() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.open
}

// Idle returns how long the client has sent nothing.
func (w *clock) Idle(now time.Time) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.waiting {
		return 0
	}
	return now.Sub(w.since)
}

// Stalled reports whether a message has begun and does not continue: nothing has come for the whole
// stall, or fewer bytes than the rate, in bytes a second, over the time that the reader has waited
// for it.
func (w *clock) Stalled(now time.Time, stall time.Duration, rate int64) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.waiting || !w.open {
		return false
	}
	wait := now.Sub(w.since)
	earned := time.Duration(float64(w.bytes) / float64(rate) * float64(time.Second))
	return wait > stall || w.waited+wait > stall+earned
}

// Silent returns how long a client has sent nothing, answers to pings included, since a ping was
// sent. Within a message it cannot answer.
func (w *clock) Silent(now, asked time.Time) time.Duration {
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

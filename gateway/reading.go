package gateway

import (
	"sync"
	"time"

	"steno/gateway/limits"
)

// readSize is the most that one read waits for, in bytes: few enough that even a slow client completes it in good time.
const readSize = 16 << 10

// reading follows how a socket's reader waits for its client. Time in which what came is dealt with, or is not read
// because the session is behind, counts for no limit.
type reading struct {
	mu      sync.Mutex
	since   time.Time     // of waiting
	waiting bool          // else what came is dealt with
	open    bool          // a message has begun that has not ended
	bytes   int64         // of it
	waited  time.Duration // for them
}

// begin notes that a message has begun.
func (g *reading) begin() { g.set(true) }

// end notes that the message has ended.
func (g *reading) end() { g.set(false) }

func (g *reading) set(open bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.open, g.bytes, g.waited, g.waiting = open, 0, 0, false
}

// await notes that from now on the client is waited for.
func (g *reading) await() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.since, g.waiting = time.Now(), true
}

// got notes that so many bytes of a message came.
func (g *reading) got(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.waiting = false
	g.bytes += int64(n)
	g.waited += time.Since(g.since)
}

// within tells whether a message has begun that has not ended.
func (g *reading) within() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.open
}

// idle is how long the client has sent nothing.
func (g *reading) idle(now time.Time) time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.waiting {
		return 0
	}
	return now.Sub(g.since)
}

// stalled tells whether a message has begun and does not go on: nothing came for the whole stall, or less than the rate
// over the time that was waited for it.
func (g *reading) stalled(now time.Time, l *limits.Limits) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.waiting || !g.open {
		return false
	}
	wait := now.Sub(g.since)
	earned := time.Duration(float64(g.bytes) / float64(l.FrameRate) * float64(time.Second))
	return wait > l.FrameStall || g.waited+wait > l.FrameStall+earned
}

// silent tells how long a client that could have answered has sent nothing, answers to pings included, since one was asked
// for. Within a message it cannot answer.
func (g *reading) silent(now, asked time.Time) time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.waiting || g.open {
		return 0
	}
	if asked.Before(g.since) {
		asked = g.since
	}
	return now.Sub(asked)
}

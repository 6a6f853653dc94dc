package remote

import (
	"fmt"
	"sync"
	"time"

	"steno/session/asr"
)

// maxRefused is how many utterances in a row a server may refuse as if that was their own fault.
const maxRefused = 2

var errRefusing = fmt.Errorf("%w: the server failed a moment ago", asr.ErrUnavailable)

// Circuit is a circuit breaker: after a failure it refuses utterances for a while, then admits one
// and waits for its outcome. While that one is being spoken there is none: it keeps others out for
// the longest wait at most.
type Circuit struct {
	min, max time.Duration

	mu      sync.Mutex
	row     int       // failures in a row; 0: all utterances are admitted
	refused int       // utterances since the last success, see refusal
	until   time.Time // none is admitted before
	probe   *Utterance
	trial   time.Time // when probe was admitted
}

// Admit admits an utterance, or returns an ErrUnavailable.
func (c *Circuit) Admit(u *Utterance) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.row == 0:
		return nil
	case time.Now().Before(c.until), c.trying():
		return errRefusing
	}
	c.probe, c.trial = u, time.Now()
	return nil
}

// trying reports whether the outcome of an utterance on trial is waited for. The caller holds the
// lock.
func (c *Circuit) trying() bool {
	return c.probe != nil && c.probe.Context.Err() == nil && (c.probe.Ended() || time.Since(c.trial) < c.max)
}

// refusal counts an utterance that was refused for what may be its own fault. More than maxRefused
// in a row show that it is the server's. Those that were lost before are the same ones again.
func (c *Circuit) refusal(u *Utterance) {
	c.mu.Lock()
	if u.Params.Attempt == 0 {
		c.refused++
	}
	all := c.refused > maxRefused
	c.mu.Unlock()
	if all {
		c.failure(u, 0)
	}
}

// Suspects reports whether an utterance was refused for what may be its own fault, and none has
// succeeded since.
func (c *Circuit) Suspects() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.refused > 0
}

// outcome takes what an utterance failed by.
func (c *Circuit) outcome(u *Utterance, f *Failure) {
	if f.Own {
		c.refusal(u)
	} else {
		c.failure(u, f.Asked)
	}
}

// failure refuses utterances for a while, or for as long as the server asked if that is longer.
// Failures of utterances that were admitted before are known already.
func (c *Circuit) failure(u *Utterance, asked time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.row > 0 && c.probe != u {
		return
	}
	wait := c.max
	if c.row < 16 { // before the shift overflows
		wait = c.min << c.row
	}
	c.row++
	c.until = time.Now().Add(min(max(wait, asked), c.max))
	c.probe = nil
}

func (c *Circuit) success() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.row, c.refused, c.probe = 0, 0, nil
}

// Leave admits the next utterance if the one admitted on trial ended without an outcome.
func (c *Circuit) Leave(u *Utterance) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.probe == u {
		c.probe = nil
	}
}

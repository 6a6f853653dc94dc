package openai

import (
	"fmt"
	"sync"
	"time"

	"steno/session/asr"
)

var errRefusing = fmt.Errorf("%w: the server failed a moment ago", asr.ErrUnavailable)

// circuit refuses utterances for a while after one has failed, then lets one through and waits for its fate.
type circuit struct {
	min, max time.Duration

	mu    sync.Mutex
	row   int       // failures that count, without a success between them; 0: all are let through
	until time.Time // nobody is let through before
	probe *stream
}

func (c *circuit) admit(u *stream) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.row == 0:
		return nil
	case time.Now().Before(c.until), c.probe != nil && c.probe.ctx.Err() == nil:
		return errRefusing
	}
	c.probe = u
	return nil
}

// failure refuses others for a while, or for as long as the server asked, if that is longer. What utterances have to
// tell that were let through before is known already.
func (c *circuit) failure(u *stream, asked time.Duration) {
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

func (c *circuit) success() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.row, c.probe = 0, nil
}

// leave lets the next one through if the utterance was to tell and did not.
func (c *circuit) leave(u *stream) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.probe == u {
		c.probe = nil
	}
}

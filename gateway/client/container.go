package client

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"steno/audio"
	"steno/audio/media"
	"steno/session"
)

// flushTime bounds the wait at the end of a socket for the rest of the decoder's output.
const flushTime = 10 * time.Second

// container decodes the audio of a socket that sends it in a container. The socket's reader writes
// to it; a goroutine of its own passes the decoded audio to the session.
type container struct {
	intake   *intake
	encoding string

	mu     sync.Mutex // held by the writer
	head   []byte     // the beginning, until it is judged
	live   *media.Live
	over   bool          // no more bytes are accepted
	passed chan struct{} // closed when all decoded audio is passed to the session

	running atomic.Pointer[media.Live] // live, for those who cannot wait for mu
	late    chan struct{}              // closed when waiting must stop
	end     sync.Once                  // closes late
}

func newContainer(in *intake, encoding string) *container {
	return &container{intake: in, encoding: encoding, late: make(chan struct{})}
}

// write decodes bytes of the container. It waits while the session is slow.
func (c *container) write(p []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over {
		return
	}
	c.intake.client.all.cfg.Metrics.AudioBytes.Add(float64(len(p)))
	if c.live == nil {
		c.head = append(c.head, p...)
		if !c.begin(false) {
			return
		}
		p, c.head = c.head, nil
	}
	if _, err := c.live.Write(p); err != nil {
		c.over = true // the other goroutine reports it
		c.live.CloseWrite()
	}
}

// begin starts the decoder once the kind of container is known, and reports whether it runs. last
// means that no more bytes follow.
func (c *container) begin(last bool) bool {
	name, need := audio.Container(c.head)
	if slices.ContainsFunc([]string{"RIFF", "RF64"}, func(id string) bool {
		return len(c.head) >= 4 &&
			string(c.head[:4]) == id
	}) {
		name, need = "WAV", false
	}
	in := c.intake
	switch {
	case len(c.head) == 0 || need && !last:
		return false
	case !begins(c.encoding, name):
		c.over = true
		if name == "" {
			name = "not that"
		}
		in.session.Misfit(fmt.Sprintf("the request declares %s, and the bytes are %s", c.encoding, name))
		return false
	}
	live, err := in.client.all.cfg.Media.Live(in.client.all.life, c.encoding, c.head, in.session.Format())
	if err != nil {
		c.over = true
		in.client.fail(err)
		return false
	}
	c.live, c.passed = live, make(chan struct{})
	c.running.Store(live)
	go c.pass()
	return true
}

// begins reports whether audio of the encoding may be in a container of the name.
func begins(encoding, name string) bool {
	_, ok := audio.Demultiplexer(encoding, name)
	return ok
}

// pass passes the decoded audio to the session.
func (c *container) pass() {
	defer close(c.passed)
	u, any, failed := audio.Unwrapper{}, false, false
	give := func(p []byte) error {
		if !any {
			f, _ := u.Format()
			if err := c.intake.session.Begin(unbounded, f); err != nil {
				return err
			}
		}
		any = true
		return c.intake.decoded(p, c.late)
	}
	buf := make([]byte, 32<<10)
	for {
		n, err := c.live.Read(buf)
		if !failed {
			if fault := u.Feed(buf[:n], give); fault != nil {
				failed = true
				c.intake.decodedFailed(fault)
				c.live.Kill()
			}
		}
		if err != nil {
			break
		}
	}
	if !failed {
		_ = u.Flush(give) // whole frames leave no rest
	}
	if err := c.live.Close(); err != nil && !failed && !any {
		c.intake.session.Misfit("the bytes cannot be decoded as " + c.encoding)
	}
}

// finish waits until everything written has reached the session, at most for flushTime.
func (c *container) finish() {
	timer := time.AfterFunc(flushTime, c.cut)
	defer timer.Stop()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.live == nil && !c.over && c.begin(true) {
		_, _ = c.live.Write(c.head) // the other goroutine reports it
	}
	if c.live == nil {
		c.over = true
		return
	}
	if !c.over {
		c.over = true
		c.live.CloseWrite()
	}
	<-c.passed
}

// cut ends the decoder.
func (c *container) cut() {
	c.end.Do(func() { close(c.late) })
	if live := c.running.Load(); live != nil {
		live.Kill()
	}
}

// decoded writes decoded samples to the session. It waits for the pace and the store.
func (in *intake) decoded(p []byte, late <-chan struct{}) error {
	for wait := in.pace.wait(time.Now()); wait > 0; wait = 0 {
		in.client.all.cfg.Metrics.PacedSeconds.Add(wait.Seconds())
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-late:
		case <-in.client.written:
		case <-in.client.all.life.Done():
		}
		timer.Stop()
	}
	if full := in.ledger.Full(); full != nil {
		select {
		case <-full:
		case <-late:
		case <-in.client.written:
		case <-in.client.all.life.Done():
		}
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.silent {
		return nil
	}
	now := time.Now()
	if err := in.session.Write(unbounded, p); err != nil {
		return err
	}
	in.pauses.heard()
	in.pace.spend(in.session.Plays(len(p)), now)
	in.acks.due(false)
	return nil
}

// decodedFailed handles an error of the session. Failures are reported by the session itself.
func (in *intake) decodedFailed(err error) {
	var failure *session.Failure
	k := in.client
	switch {
	case errors.Is(err, session.ErrFull):
		if err := in.session.Stop(k.all.life, false); k.faulty(err) {
			k.fail(err)
		}
	case errors.Is(err, session.ErrStopped), errors.Is(err, session.ErrAbandoned), errors.As(err, &failure):
	default:
		k.fail(err)
	}
}

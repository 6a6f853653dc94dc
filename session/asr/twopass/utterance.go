package twopass

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"steno/session/asr"
	"steno/session/panics"
)

var errNoFinal = errors.New("two passes: recognizer ended an utterance without a final")

// utterance implements [asr.Utterance].
type utterance struct {
	r       *Recognizer
	finals  asr.Utterance
	cancel  context.CancelFunc // ends both sides
	abandon context.CancelFunc // ends the partials' side
	changed chan struct{}      // holds one token when Recv has something to look at
	fed     chan struct{}      // holds one token when follow has something to look at

	mu      sync.Mutex // guards what follows
	queue   queue
	partial *asr.Result // the newest not yet received
	quiet   bool        // no partials any more
	final   *asr.Result
	err     error // why no final will come

	done bool // the final was received; Recv's goroutine only
}

func (u *utterance) Write(samples []int16) error {
	if err := u.finals.Write(samples); err != nil {
		return err
	}
	u.feed(samples)
	return nil
}

func (u *utterance) Pause() error {
	if err := u.finals.Pause(); err != nil {
		return err
	}
	u.feedPause()
	return nil
}

// End abandons the partials' side: the final is next.
func (u *utterance) End() error {
	u.hush()
	return u.finals.End()
}

func (u *utterance) Recv() (asr.Result, error) {
	if u.done {
		return asr.Result{}, io.EOF
	}
	for {
		result, err := u.next()
		switch {
		case err != nil:
			return asr.Result{}, err
		case result != nil:
			u.done = result.Final
			return *result, nil
		}
		<-u.changed
	}
}

// next takes what is to be received now, nil if there is nothing yet.
func (u *utterance) next() (*asr.Result, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.err != nil || u.final != nil {
		return u.final, u.err
	}
	result := u.partial
	u.partial = nil
	return result, nil
}

// await receives the final, and with it decides the utterance.
func (u *utterance) await() { u.finish(u.receive()) }

func (u *utterance) receive() (final *asr.Result, err error) {
	defer panics.To(&err)
	for {
		result, err := u.finals.Recv()
		switch {
		case errors.Is(err, io.EOF):
			return nil, fmt.Errorf("%w: %w", errNoFinal, asr.ErrUnavailable)
		case err != nil:
			return nil, err
		case result.Final:
			return &result, nil
		}
	}
}

// finish decides the utterance, once, and lets go of both sides.
func (u *utterance) finish(final *asr.Result, err error) {
	u.hush()
	u.mu.Lock()
	if u.final == nil && u.err == nil {
		u.final, u.err = final, err
	}
	u.mu.Unlock()
	u.cancel()
	wake(u.changed)
}

// hush ends the partials, which is no loss: the audio is complete, or the utterance is over.
func (u *utterance) hush() { u.mute("") }

// mute ends the partials and counts why, if they had not ended before. A partial not yet received is no news any more.
func (u *utterance) mute(why Drop) {
	u.mu.Lock()
	first := !u.quiet
	u.quiet, u.partial, u.queue = true, nil, queue{}
	u.mu.Unlock()
	u.abandon()
	if first && why != "" {
		u.r.drops.add(why)
	}
}

// offer replaces the partial waiting to be received.
func (u *utterance) offer(partial asr.Result) {
	u.mu.Lock()
	quiet, replaced := u.quiet, u.partial != nil
	if !quiet {
		u.partial = &partial
	}
	u.mu.Unlock()
	if quiet {
		return
	}
	if replaced {
		u.r.drops.add(DropReplaced)
	}
	wake(u.changed)
}

func wake(token chan<- struct{}) {
	select {
	case token <- struct{}{}:
	default:
	}
}

package scripted

import (
	"context"
	"errors"
	"io"
	"sync"

	"steno/session/asr"
)

var errEnded = errors.New("utterance has already ended")

type utterance struct {
	ctx        context.Context // the utterance's lifetime, given to Open
	recognizer *Recognizer
	language   string
	partials   bool
	changed    chan struct{} // holds one token when Recv has something to look at

	mu      sync.Mutex
	reader  reader
	partial *asr.Result // the newest not yet received
	guess   *guess      // the final's decode, begun in a pause; nil: not begun
	ended   bool
	err     error // why no final will come

	done bool // the final was received; Recv's goroutine only
}

func (u *utterance) Write(samples []int16) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := u.writable(len(samples)); err != nil {
		return err
	}
	if len(samples) > 0 {
		u.doubt()
	}
	for len(samples) > 0 {
		// Stop at every point where a partial is due, so that partials do not depend on the cutting.
		n := min(len(samples), MinSamples-u.reader.samples%MinSamples)
		u.reader.read(samples[:n])
		samples = samples[n:]
		if u.partials && u.reader.samples%MinSamples == 0 {
			u.offer()
		}
	}
	return nil
}

func (u *utterance) writable(n int) error {
	switch {
	case u.err != nil:
		return u.err
	case u.ctx.Err() != nil:
		return u.ctx.Err()
	case u.ended:
		return errEnded
	case u.reader.samples+n > asr.MaxSamples:
		u.err = asr.ErrTooLong
		u.doubt()
		u.wake()
		return u.err
	}
	return nil
}

// offer replaces the partial waiting to be received. Partials carry no confidence: they may still change.
func (u *utterance) offer() {
	words := u.reader.all()
	for i := range words {
		words[i].Confidence = 0
	}
	if len(words) > 0 {
		u.partial = u.result(words, false)
		u.wake()
	}
}

func (u *utterance) result(words []asr.Word, final bool) *asr.Result {
	return &asr.Result{Final: final, Words: words, Timed: len(words) > 0, Language: u.language, Engine: Engine}
}

// Pause begins to wait for the final, as an engine that has means to spare would begin to decode it.
func (u *utterance) Pause() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := u.writable(0); err != nil {
		return err
	}
	if u.guess == nil && u.reader.samples > 0 {
		u.guess = u.recognizer.guess(u.ctx, u.reader.samples)
	}
	return nil
}

// doubt gives up what was begun in a pause.
func (u *utterance) doubt() {
	if u.guess != nil {
		u.guess.drop()
		u.guess = nil
	}
}

func (u *utterance) End() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := u.writable(0); err != nil {
		return err
	}
	u.ended = true
	u.wake()
	return nil
}

func (u *utterance) wake() {
	select {
	case u.changed <- struct{}{}:
	default:
	}
}

func (u *utterance) Recv() (asr.Result, error) {
	if u.done {
		return asr.Result{}, io.EOF
	}
	for {
		partial, ended, err := u.state()
		switch {
		case err != nil:
			return asr.Result{}, err
		case partial != nil:
			return *partial, nil
		case ended:
			return u.final()
		}
		select {
		case <-u.changed:
		case <-u.ctx.Done():
		}
	}
}

// state takes the waiting partial, unless the final is due and makes it worthless.
func (u *utterance) state() (partial *asr.Result, ended bool, err error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.err == nil {
		u.err = u.ctx.Err()
	}
	partial, u.partial = u.partial, nil
	if u.ended {
		partial = nil
	}
	return partial, u.ended, u.err
}

// final needs no lock: after End nothing changes what it reads.
func (u *utterance) final() (asr.Result, error) {
	if err := u.recognizer.decode(u.ctx, u.reader.samples, u.guess); err != nil {
		return asr.Result{}, err
	}
	u.done = true
	return *u.result(u.reader.all(), true), nil
}

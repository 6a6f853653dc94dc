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

// stream implements [asr.Stream].
type stream struct {
	r       *Recognizer
	finals  asr.Stream
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

func (s *stream) Write(samples []int16) error {
	if err := s.finals.Write(samples); err != nil {
		return err
	}
	s.feed(samples)
	return nil
}

func (s *stream) Pause() error {
	if err := s.finals.Pause(); err != nil {
		return err
	}
	s.feedPause()
	return nil
}

// End abandons the partials' side: the final is next.
func (s *stream) End() error {
	s.hush()
	return s.finals.End()
}

func (s *stream) Recv() (asr.Result, error) {
	if s.done {
		return asr.Result{}, io.EOF
	}
	for {
		result, err := s.next()
		switch {
		case err != nil:
			return asr.Result{}, err
		case result != nil:
			s.done = result.Final
			return *result, nil
		}
		<-s.changed
	}
}

// next takes what is to be received now, nil if there is nothing yet.
func (s *stream) next() (*asr.Result, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil || s.final != nil {
		return s.final, s.err
	}
	result := s.partial
	s.partial = nil
	return result, nil
}

// await receives the final, and with it decides the utterance.
func (s *stream) await() { s.finish(s.receive()) }

func (s *stream) receive() (final *asr.Result, err error) {
	defer panics.To(&err)
	for {
		result, err := s.finals.Recv()
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
func (s *stream) finish(final *asr.Result, err error) {
	s.hush()
	s.mu.Lock()
	if s.final == nil && s.err == nil {
		s.final, s.err = final, err
	}
	s.mu.Unlock()
	s.cancel()
	wake(s.changed)
}

// hush ends the partials, which is no loss: the audio is complete, or the utterance is over.
func (s *stream) hush() { s.mute("") }

// mute ends the partials and counts why, if they had not ended before. A partial not yet received is no news any more.
func (s *stream) mute(why Drop) {
	s.mu.Lock()
	first := !s.quiet
	s.quiet, s.partial, s.queue = true, nil, queue{}
	s.mu.Unlock()
	s.abandon()
	if first && why != "" {
		s.r.drops.add(why)
	}
}

// offer replaces the partial waiting to be received.
func (s *stream) offer(partial asr.Result) {
	s.mu.Lock()
	quiet, replaced := s.quiet, s.partial != nil
	if !quiet {
		s.partial = &partial
	}
	s.mu.Unlock()
	if quiet {
		return
	}
	if replaced {
		s.r.drops.add(DropReplaced)
	}
	wake(s.changed)
}

func wake(token chan<- struct{}) {
	select {
	case token <- struct{}{}:
	default:
	}
}

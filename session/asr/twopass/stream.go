package twopass

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"sync"

	"steno/session/asr"
	"steno/session/panics"
)

var errNoFinal = errors.New("two passes: recognizer ended an utterance without a final")

// stream implements [asr.Stream].
type stream struct {
	r       *Recognizer
	finals  asr.Stream
	cancel  context.CancelFunc // ends both streams
	abandon context.CancelFunc // ends the stream for partials
	changed chan struct{}      // holds a token when Recv has something to look at
	fed     chan struct{}      // holds a token when follow has something to look at

	mu      sync.Mutex // guards what follows
	queue   queue
	partial *asr.Result // the newest not yet received
	quiet   bool        // no more partials
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

// End abandons the stream for partials: the final is next.
func (s *stream) End() error {
	s.endPartials()
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

// next returns what Recv is to return now, nil if there is nothing yet.
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

// await receives the final, which decides the utterance.
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

// finish decides the utterance, once, and ends both streams.
func (s *stream) finish(final *asr.Result, err error) {
	s.endPartials()
	s.mu.Lock()
	if s.final == nil && s.err == nil {
		s.final, s.err = final, err
	}
	s.mu.Unlock()
	s.cancel()
	wake(s.changed)
}

// endPartials ends the partials without counting a drop: the audio is complete, or the utterance is
// over.
func (s *stream) endPartials() { s.dropPartials("") }

// dropPartials ends the partials and counts why, if they had not ended before. A partial not yet
// received is dropped.
func (s *stream) dropPartials(why Drop) {
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

// Drop is a reason for leaving partials out.
type Drop string

const (
	DropRefused  Drop = "refused"  // utterances refused for partials: no room, or not the language
	DropLost     Drop = "lost"     // utterances whose stream for partials failed
	DropBehind   Drop = "behind"   // utterances whose stream for partials lagged by MaxLag
	DropReplaced Drop = "replaced" // partials replaced by newer ones before they were received
)

type drops struct {
	mu     sync.Mutex
	counts map[Drop]int64
}

func (d *drops) add(why Drop) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.counts == nil {
		d.counts = map[Drop]int64{}
	}
	d.counts[why]++
}

// Drops returns how many partials were left out since New, by reason; reasons that did not occur
// are missing. The map is the caller's.
func (r *Recognizer) Drops() map[Drop]int64 {
	r.drops.mu.Lock()
	defer r.drops.mu.Unlock()
	return maps.Clone(r.drops.counts)
}

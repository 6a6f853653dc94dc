package scripted

import (
	"context"
	"errors"
	"io"
	"sync"

	"steno/session/asr"
)

var errEnded = errors.New("utterance has already ended")

type stream struct {
	ctx        context.Context // the utterance's lifetime, given to Open
	recognizer *Recognizer
	language   string
	partials   bool
	changed    chan struct{} // holds a token when Recv has something to look at

	mu      sync.Mutex
	reader  reader
	partial *asr.Result // the newest not yet received
	guess   *guess      // the final's decode, begun in a pause; nil: not begun
	ended   bool
	err     error // why no final will come

	done bool // the final was received; Recv's goroutine only
}

func (s *stream) Write(samples []int16) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.writable(len(samples)); err != nil {
		return err
	}
	if len(samples) > 0 {
		s.dropGuess()
	}
	for len(samples) > 0 {
		// Stop wherever a partial is due, so that partials do not depend on how the audio is cut.
		n := min(len(samples), MinSamples-s.reader.samples%MinSamples)
		s.reader.read(samples[:n])
		samples = samples[n:]
		if s.partials && s.reader.samples%MinSamples == 0 {
			s.offer()
		}
	}
	return nil
}

func (s *stream) writable(n int) error {
	switch {
	case s.err != nil:
		return s.err
	case s.ctx.Err() != nil:
		return s.ctx.Err()
	case s.ended:
		return errEnded
	case s.reader.samples+n > asr.MaxSamples:
		s.err = asr.ErrTooLong
		s.dropGuess()
		s.wake()
		return s.err
	}
	return nil
}

// offer replaces the partial that waits to be received. Partials have no confidence, since they may
// still change.
func (s *stream) offer() {
	words := s.reader.all()
	for i := range words {
		words[i].Confidence = 0
	}
	if len(words) > 0 {
		s.partial = s.result(words, false)
		s.wake()
	}
}

func (s *stream) result(words []asr.Word, final bool) *asr.Result {
	return &asr.Result{Final: final, Words: words, Timed: len(words) > 0, Language: s.language, Engine: Engine}
}

// Pause begins to wait for the final, as an engine with a free slot would begin to decode it.
func (s *stream) Pause() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.writable(0); err != nil {
		return err
	}
	if s.guess == nil && s.reader.samples > 0 {
		s.guess = s.recognizer.guess(s.ctx, s.reader.samples)
	}
	return nil
}

// dropGuess cancels what was begun in a pause.
func (s *stream) dropGuess() {
	if s.guess != nil {
		s.guess.drop()
		s.guess = nil
	}
}

func (s *stream) End() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.writable(0); err != nil {
		return err
	}
	s.ended = true
	s.wake()
	return nil
}

func (s *stream) wake() {
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

func (s *stream) Recv() (asr.Result, error) {
	if s.done {
		return asr.Result{}, io.EOF
	}
	for {
		partial, ended, err := s.state()
		switch {
		case err != nil:
			return asr.Result{}, err
		case partial != nil:
			return *partial, nil
		case ended:
			return s.final()
		}
		select {
		case <-s.changed:
		case <-s.ctx.Done():
		}
	}
}

// state takes the waiting partial, unless the final is due and replaces it.
func (s *stream) state() (partial *asr.Result, ended bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = s.ctx.Err()
	}
	partial, s.partial = s.partial, nil
	if s.ended {
		partial = nil
	}
	return partial, s.ended, s.err
}

// final needs no lock: nothing changes the fields it reads after End.
func (s *stream) final() (asr.Result, error) {
	if err := s.recognizer.decode(s.ctx, s.reader.samples, s.guess); err != nil {
		return asr.Result{}, err
	}
	s.done = true
	return *s.result(s.reader.all(), true), nil
}

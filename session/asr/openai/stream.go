package openai

import (
	"context"
	"errors"
	"io"
	"sync"

	"steno/session/asr"
	"steno/session/asr/remote"
)

var (
	errEnded = errors.New("utterance has already ended")
	errCut   = errors.New("cut beyond what was written")
)

type stream struct {
	ctx        context.Context // given to Open
	recognizer *Recognizer
	params     asr.Params
	known      *remote.Utterance
	language   string        // to ask for; empty: the server detects it
	changed    chan struct{} // holds a token when Recv has something to look at

	mu      sync.Mutex
	samples []int16
	job     *job // of all samples; nil before the end is likely
	preview preview
	ended   bool
	err     error // why no final will come

	done error // what Recv returns from now on; Recv's goroutine only
}

// job is a transcription under way.
type job struct {
	cancel context.CancelFunc
	done   chan struct{} // closed when result and err are set
	result asr.Result
	err    error
}

// finished returns a job that is done.
func finished(result asr.Result, err error) *job {
	j := &job{cancel: func() {}, done: make(chan struct{}), result: result, err: err}
	close(j.done)
	return j
}

func (s *stream) Write(samples []int16) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.writable(len(samples)); err != nil || len(samples) == 0 {
		return err
	}
	s.drop()
	s.samples = append(s.samples, samples...)
	s.wantPartial()
	return nil
}

// drop cancels the job that was started too early.
func (s *stream) drop() {
	if s.job != nil {
		s.job.cancel()
		s.job = nil
	}
}

func (s *stream) writable(n int) error {
	switch {
	case s.err != nil:
		return s.err
	case s.ctx.Err() != nil:
		return s.ctx.Err()
	case s.recognizer.server.Lifetime().Err() != nil:
		return remote.ErrClosed
	case s.ended:
		return errEnded
	case len(s.samples)+n > asr.MaxSamples:
		s.err = asr.ErrTooLong
		s.endPartials()
		s.drop()
		s.wake()
		return s.err
	}
	return nil
}

// Pause posts the audio so far if Speculate is set and a request can be made immediately.
func (s *stream) Pause() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.writable(0); err != nil {
		return err
	}
	r := s.recognizer
	if r.config.Speculate && s.job == nil && len(s.samples) >= remote.MinSamples &&
		r.server.Slots.TryAcquire(s.params.Party, 1) {
		s.endPartials()
		s.job = r.start(s, s.samples, true)
	}
	return nil
}

func (s *stream) hasEnded() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended
}

func (s *stream) End() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.writable(0); err != nil {
		return err
	}
	s.ended = true
	s.endPartials()
	switch {
	case len(s.samples) < remote.MinSamples:
		s.job = finished(s.final(nil, false, "", s.language), nil)
	case s.job == nil || s.job.failed():
		s.job = s.recognizer.start(s, s.samples, false)
	}
	s.wake()
	return nil
}

// Tentative implements [asr.Cutter]. What is sure to stay is not transcribed ahead: that would be
// paid for twice.
func (s *stream) Tentative(int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.writable(0)
}

// Cut implements [asr.Cutter].
func (s *stream) Cut(n int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.writable(0); err != nil {
		return err
	}
	if n < 0 || n > len(s.samples) {
		return errCut
	}
	if n < len(s.samples) {
		s.drop()
		s.samples = s.samples[:n:n] // what is written next must not change what is being posted
	}
	s.endPartials()
	s.preview.over = true
	return nil
}

// failed reports whether a job has failed by now.
func (j *job) failed() bool {
	select {
	case <-j.done:
		return j.err != nil
	default:
		return false
	}
}

func (s *stream) wake() {
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

// final returns the result of words in the language that was asked for, or that the server has
// named.
func (s *stream) final(words []asr.Word, timed bool, told, asked string) asr.Result {
	return asr.Result{
		Final: true, Words: words, Timed: timed && len(words) > 0, Engine: s.recognizer.config.Name,
		Language: s.recognizer.speaks.OfResult(s.params, told, asked),
	}
}

func (s *stream) Recv() (asr.Result, error) {
	for s.done == nil {
		if partial := s.takePartial(); partial != nil {
			return *partial, nil
		}
		job, err := s.state()
		switch {
		case err != nil:
			return s.finish(asr.Result{}, err)
		case job != nil:
			return s.await(job)
		}
		select {
		case <-s.changed:
		case <-s.ctx.Done():
		case <-s.recognizer.server.Lifetime().Done():
		}
	}
	return asr.Result{}, s.done
}

// state returns the job whose result is the final, or why there will be none.
func (s *stream) state() (*job, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.err != nil:
		return nil, s.err
	case s.ended:
		return s.job, nil
	case s.ctx.Err() != nil:
		s.err = s.ctx.Err()
	case s.recognizer.server.Lifetime().Err() != nil:
		s.err = remote.ErrClosed
	}
	return nil, s.err
}

func (s *stream) await(j *job) (asr.Result, error) {
	select {
	case <-j.done:
	case <-s.ctx.Done():
		return s.finish(asr.Result{}, s.ctx.Err())
	}
	return s.finish(j.result, j.err)
}

// finish ends the utterance with its final or an error.
func (s *stream) finish(result asr.Result, err error) (asr.Result, error) {
	s.recognizer.server.Circuit.Leave(s.known)
	s.mu.Lock()
	s.endPartials()
	if s.ended {
		s.samples = nil
	}
	s.drop()
	s.mu.Unlock()
	if s.done = err; err == nil {
		s.done = io.EOF
	}
	return result, err
}

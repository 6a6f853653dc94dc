package router

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"steno/session/asr"
	"steno/session/panics"
)

// head is how much of an utterance its language is identified from: 3 s, or all of a shorter one.
const head = 3 * asr.Rate

var (
	errEnded  = errors.New("utterance has already ended")
	errClosed = fmt.Errorf("%w: router is closed", asr.ErrUnavailable)
)

// pendingStream is a stream whose audio is buffered until its language is identified, and then fed
// to an engine.
//
// The language is identified from the head alone, so the result does not depend on how the audio
// was cut. Then a goroutine of the router's opens the utterance on an engine and feeds the buffered
// audio; once the buffer is empty the writer's calls go to the engine directly.
type pendingStream struct {
	plan      *plan
	params    asr.Params // without a language; Languages are the candidates
	likeliest string
	fallback  bool

	caller context.Context // given to Open
	life   context.Context // within caller; cancelled with the reason if the utterance fails here
	cancel context.CancelCauseFunc
	opened chan struct{} // closed when inner can be received from

	mu        sync.Mutex
	buffered  []int16 // buffered audio
	total     int     // samples written
	following []int16 // what follows the utterance
	ended     bool
	paused    bool       // no samples since Pause
	begun     bool       // the head is complete
	inner     asr.Stream // nil until opened
	direct    bool       // the buffer is empty: the writer's calls go to inner
}

func newPendingStream(ctx context.Context, p *plan, q asr.Params, likeliest string, fallback bool) *pendingStream {
	s := &pendingStream{
		plan: p, params: q, likeliest: likeliest, fallback: fallback,
		caller: ctx, opened: make(chan struct{}),
	}
	s.life, s.cancel = context.WithCancelCause(ctx)
	return s
}

func (s *pendingStream) Write(samples []int16) error {
	tooLong := false
	inner, err := s.buffer(func() { tooLong = !s.append(samples) })
	switch {
	case inner != nil:
		return inner.Write(samples)
	case tooLong:
		return asr.ErrTooLong
	}
	return err
}

// append buffers samples, and reports whether there was room. The caller holds the lock.
func (s *pendingStream) append(samples []int16) bool {
	if s.total+len(samples) > asr.MaxSamples {
		s.cancel(asr.ErrTooLong)
		return false
	}
	s.buffered = append(s.buffered, samples...)
	s.total += len(samples)
	s.paused = false
	if s.total >= head {
		s.begin()
	}
	return true
}

// admit returns why the writer may not continue, or nil. The caller holds the lock.
func (s *pendingStream) admit() error {
	switch {
	case s.direct:
		return nil // inner checks it
	case s.life.Err() != nil:
		return s.failure(nil)
	case s.ended:
		return errEnded
	}
	return nil
}

func (s *pendingStream) Pause() error {
	inner, err := s.buffer(func() { s.paused = true })
	if inner != nil {
		return inner.Pause()
	}
	return err
}

// Tentative implements [asr.Cutter].
func (s *pendingStream) Tentative(n int) error {
	inner, err := s.buffer(func() {})
	if inner != nil {
		return asr.Tentative(inner, n)
	}
	return err
}

// Cut implements [asr.Cutter], once the utterance is on an engine.
func (s *pendingStream) Cut(n int) error {
	inner, err := s.buffer(func() {})
	if inner != nil {
		return asr.Cut(inner, n)
	}
	return errors.Join(err, errors.ErrUnsupported)
}

// Follow implements [asr.Follower].
func (s *pendingStream) Follow(samples []int16) error {
	inner, err := s.buffer(func() { s.following = slices.Clone(samples) })
	if inner != nil {
		return asr.Follow(inner, samples)
	}
	return err
}

func (s *pendingStream) End() error {
	inner, err := s.buffer(func() {
		s.ended = true
		s.begin()
	})
	if inner != nil {
		return inner.End()
	}
	return err
}

// buffer calls record under the lock, or returns the stream if the writer's calls go to the engine
// already.
func (s *pendingStream) buffer(record func()) (asr.Stream, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.admit(); err != nil {
		return nil, err
	}
	if s.direct {
		return s.inner, nil
	}
	record()
	return nil, nil
}

// begin starts run on a goroutine, once. The caller holds the lock.
func (s *pendingStream) begin() {
	if s.begun {
		return
	}
	s.begun = true
	start := slices.Clone(s.buffered[:min(len(s.buffered), head)])
	run := func() {
		if err := panics.Try(func() { s.run(start) }); err != nil {
			s.cancel(err)
		}
	}
	if !s.plan.router.spawn(run) {
		s.cancel(errClosed)
	}
}

// run identifies the language, opens a stream on an engine, and feeds it.
func (s *pendingStream) run(start []int16) {
	leave := context.AfterFunc(s.plan.router.life, func() { s.cancel(errClosed) })
	err := s.identify(start)
	if err == nil {
		err = s.open()
	}
	leave()
	if err != nil {
		s.cancel(err)
		return
	}
	s.feed()
}

// identify determines the language. An empty utterance has the likeliest one.
func (s *pendingStream) identify(start []int16) error {
	if len(start) == 0 {
		s.params.Language = s.likeliest
		return nil
	}
	return s.await(func() error {
		patience := s.plan.patienceOf(s.params.Priority)
		language, fallback, err := s.plan.router.identify(s.life, start, s.params.Languages, patience)
		if language == "" {
			language = s.likeliest
		}
		s.params.Language, s.fallback = language, s.fallback || fallback
		return err
	})
}

func (s *pendingStream) open() error {
	var inner asr.Stream
	err := s.await(func() (err error) {
		inner, err = s.plan.open(s.life, s.params, s.fallback)
		return err
	})
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inner = inner
	close(s.opened)
	return nil
}

// await calls do until it succeeds or fails for good, until params.Until, and for minPendingWait
// and the patience at least.
func (s *pendingStream) await(do func() error) error {
	until := time.Now().Add(minPendingWait + s.plan.patienceOf(s.params.Priority))
	if s.params.Until.After(until) {
		until = s.params.Until
	}
	return await(s.life, until, minAskPause, do)
}

// feed writes the buffered audio to the engine until the buffer is empty. If the engine fails, Recv
// returns why.
func (s *pendingStream) feed() {
	for {
		samples, paused, ended, more := s.take()
		if !more {
			return
		}
		var err error
		if len(samples) > 0 {
			err = s.inner.Write(samples)
		}
		switch {
		case err != nil:
		case ended:
			_ = asr.Follow(s.inner, s.following) // nobody changes it any more
			_ = s.inner.End()
			return
		case paused:
			err = s.inner.Pause()
		}
		if err != nil {
			s.handOver()
			return
		}
	}
}

func (s *pendingStream) handOver() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.direct = true
}

// take empties the buffer. If it was empty already, more is false and the writer's calls go to
// inner from now on.
func (s *pendingStream) take() (samples []int16, paused, ended, more bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	samples, s.buffered = s.buffered, nil
	paused, s.paused = s.paused, false
	more = len(samples) > 0 || paused || s.ended
	s.direct = !more
	return samples, paused, s.ended, more
}

// Recv waits until the utterance is on an engine and then receives from it.
func (s *pendingStream) Recv() (asr.Result, error) {
	if err := s.wait(); err != nil {
		return asr.Result{}, err
	}
	result, err := s.inner.Recv()
	if err != nil {
		return asr.Result{}, s.failure(err)
	}
	return result, nil
}

func (s *pendingStream) wait() error {
	select {
	case <-s.opened:
		return nil
	default:
	}
	select {
	case <-s.opened:
		return nil
	case <-s.life.Done():
	case <-s.plan.router.life.Done():
		s.cancel(errClosed)
	}
	return s.failure(nil)
}

// failure returns what ended the utterance: the caller's context before a reason found here before
// the engine's error.
func (s *pendingStream) failure(err error) error {
	switch {
	case errors.Is(err, io.EOF):
		return io.EOF
	case s.caller.Err() != nil:
		return s.caller.Err()
	case s.life.Err() != nil:
		return context.Cause(s.life)
	}
	return err
}

package fusion

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"steno/session/asr"
	"steno/session/panics"
)

// maxWords is more than can be spoken in the longest utterance: 16 a second. A member with more is
// broken, and time and memory of the alignment grow with the square.
const maxWords = 1024

var (
	errEnded    = errors.New("fusion: utterance already ended")
	errNoFinal  = fmt.Errorf("fusion: member ended an utterance without a final: %w", asr.ErrUnavailable)
	errTooMany  = fmt.Errorf("fusion: member heard more than %d words: %w", maxWords, asr.ErrUnavailable)
	errNoMember = fmt.Errorf("fusion: no member takes audio any more: %w", asr.ErrUnavailable)
)

// stream implements [asr.Stream].
type stream struct {
	ctx     context.Context         // the caller's
	open    context.Context         // of the members' streams, within ctx; its cause may be ErrTooLong
	cancel  context.CancelCauseFunc // of open
	rover   rover
	members []*memberStream // one for each member, in order

	// Of the goroutine that writes.
	samples int
	ended   bool

	err error // what Recv returns from now on; Recv's goroutine only
}

// memberStream is one member's part of an utterance.
type memberStream struct {
	member Member
	stream asr.Stream // nil: the member refused
	failed bool       // a write failed: nothing more is written, Recv returns why; of the goroutine that writes
	result asr.Result
	err    error // why there is no result; of the goroutine of Open, then of Recv's
}

func (s *stream) Write(samples []int16) error {
	if s.samples += len(samples); s.samples > asr.MaxSamples {
		s.cancel(asr.ErrTooLong)
		return asr.ErrTooLong
	}
	return s.each(func(to asr.Stream) error { return to.Write(samples) })
}

func (s *stream) Pause() error { return s.each(asr.Stream.Pause) }

func (s *stream) End() error {
	err := s.each(asr.Stream.End)
	s.ended = true
	return err
}

// each calls a function with the stream of each member. A member that fails gets no more calls; it
// is an error if all have failed.
func (s *stream) each(to func(asr.Stream) error) error {
	if s.open.Err() != nil {
		return s.cancelled()
	}
	if s.ended {
		return errEnded
	}
	hearing := false
	for _, v := range s.members {
		if v.stream == nil || v.failed {
			continue
		}
		v.failed = to(v.stream) != nil
		hearing = hearing || !v.failed
	}
	if !hearing {
		return errNoMember
	}
	return nil
}

// Recv waits for the finals of all members: leaving slow ones out would make the result depend on
// time. The members' own deadlines are the bound.
func (s *stream) Recv() (asr.Result, error) {
	if s.err != nil {
		return asr.Result{}, s.err
	}
	s.collect()
	result, err := s.decide()
	if s.err = err; err == nil {
		s.err = io.EOF
	}
	s.cancel(nil)
	return result, err
}

// collect receives from all members at the same time: some have a deadline that runs until their
// final is received.
func (s *stream) collect() {
	var all panics.Group
	for _, v := range s.members {
		if v.err == nil {
			all.Go(v.receive)
		}
	}
	all.Wait()
}

func (m *memberStream) receive() {
	for !m.result.Final && m.err == nil {
		m.result, m.err = m.stream.Recv()
	}
	switch {
	case errors.Is(m.err, io.EOF):
		m.err = errNoFinal
	case m.err == nil && len(m.result.Words) > maxWords:
		m.err = errTooMany
	}
}

// decide votes on the members' finals.
func (s *stream) decide() (asr.Result, error) {
	if err := s.refusal(); err != nil {
		return asr.Result{}, err
	}
	var voters []*memberStream
	lost := false
	for _, v := range s.members {
		if v.err == nil {
			voters = append(voters, v)
			lost = lost || v.result.Fallback
		} else {
			lost = lost || !errors.Is(v.err, asr.ErrLanguage)
		}
	}
	result := s.rover.vote(voters)
	result.Fallback = lost
	if len(result.Words) == 0 {
		for _, v := range voters {
			result.Dropped = cmp.Or(result.Dropped, v.result.Dropped)
		}
	}
	return result, nil
}

// cancelled returns why the members' streams were cancelled.
func (s *stream) cancelled() error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	return context.Cause(s.open)
}

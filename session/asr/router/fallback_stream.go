package router

import (
	"errors"
	"fmt"

	"steno/session/asr"
)

// fallbackStream is a stream of an engine that is one of several: its results state whether the
// engine is a fallback.
type fallbackStream struct {
	asr.Stream
	engine   *engine
	asked    string // the language asked for; "": to be detected
	language string // of results without one
	fallback bool
	last     bool // no other engine has the language
}

// Tentative implements [asr.Cutter].
func (s *fallbackStream) Tentative(n int) error { return asr.Tentative(s.Stream, n) }

// Cut implements [asr.Cutter].
func (s *fallbackStream) Cut(n int) error { return asr.Cut(s.Stream, n) }

// Follow implements [asr.Follower].
func (s *fallbackStream) Follow(samples []int16) error { return asr.Follow(s.Stream, samples) }

// Recv turns a refusal of the language, which comes too late for Open, into ErrUnavailable: the
// utterance is to be given again, to another engine.
func (s *fallbackStream) Recv() (asr.Result, error) {
	result, err := s.Stream.Recv()
	if errors.Is(err, asr.ErrLanguage) && !s.last {
		s.engine.refuse(s.asked)
		return asr.Result{}, fmt.Errorf("%w: engine %q: %v", asr.ErrUnavailable, s.engine.name, err)
	}
	if err != nil {
		return result, err
	}
	if result.Language == "" {
		result.Language = s.language
	}
	if result.Engine == "" {
		result.Engine = s.engine.name
	}
	result.Fallback = result.Fallback || s.fallback
	return result, nil
}

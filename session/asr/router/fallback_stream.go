package router

import (
	"errors"
	"fmt"

	"steno/session/asr"
)

// fallbackStream is an utterance with an engine that is one of several: its results say whether it stood in.
type fallbackStream struct {
	asr.Stream
	engine   *engine
	asked    string // for this language; "": among several
	language string // told with the results where the engine tells none
	fallback  bool
	last     bool // no other engine has the language
}

// Recv turns a refusal that came too late for Open into the loss of the utterance: it is wanted again for another
// engine.
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

package route

import (
	"errors"
	"fmt"

	"steno/session/asr"
)

// marked is an utterance with an engine that is one of several: its results say whether it stood in.
type marked struct {
	asr.Utterance
	engine   *engine
	asked    string // for this language; "": among several
	language string // told with the results where the engine tells none
	stoodIn  bool
	last     bool // no other engine has the language
}

// Recv turns a refusal that came too late for Open into the loss of the utterance: it is wanted again for another
// engine.
func (m *marked) Recv() (asr.Result, error) {
	result, err := m.Utterance.Recv()
	if errors.Is(err, asr.ErrLanguage) && !m.last {
		m.engine.refuse(m.asked)
		return asr.Result{}, fmt.Errorf("%w: engine %q: %v", asr.ErrUnavailable, m.engine.name, err)
	}
	if err != nil {
		return result, err
	}
	if result.Language == "" {
		result.Language = m.language
	}
	if result.Engine == "" {
		result.Engine = m.engine.name
	}
	result.StoodIn = result.StoodIn || m.stoodIn
	return result, nil
}

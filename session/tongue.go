package session

import (
	"sync/atomic"

	"steno/messages"
	"steno/session/asr"
)

// tongue is what is known of the language spoken on a lane.
//
// Where it is to be found once and kept, the first utterance in which something was heard decides it. Those before it
// and itself are decoded with all candidates, those after it with that language. So that no race decides which is
// which, an utterance that begins while an earlier one may still decide waits for it before it is given to an engine.
type tongue struct {
	among []string // candidates; none: all
	kept  bool     // found once
	heard atomic.Pointer[heard]
}

// heard is the language found, and in which utterance.
type heard struct {
	language string
	number   int64
}

func newTongue(c messages.LanguageConfig) tongue {
	return tongue{among: c.Languages, kept: !c.CodeSwitching && len(c.Languages) != 1}
}

// open tells whether a coming final may still decide the language. Called by the writer.
func (t *tongue) open() bool { return t.kept && t.heard.Load() == nil }

// tell completes what a recognizer is told of the utterance with the number.
func (t *tongue) tell(p asr.Params, number int64) asr.Params {
	h := t.heard.Load()
	switch {
	case len(t.among) == 1:
		p.Language = t.among[0]
	case h != nil && h.number < number:
		p.Language = h.language
	default:
		p.Languages = t.among
	}
	return p
}

// learn notes the language of an utterance's final that has words. Called in the order of the utterances.
func (t *tongue) learn(language string, number int64) {
	if language != "" && t.open() {
		t.heard.Store(&heard{language, number})
	}
}

// of is the language an utterance is said to be in: the only one there may be, else what the recognizer tells, as far as
// it does.
func (t *tongue) of(recognized string) string {
	switch {
	case len(t.among) == 1:
		return t.among[0]
	case recognized != "":
		return recognized
	case len(t.among) > 0:
		return t.among[0]
	}
	return "en"
}

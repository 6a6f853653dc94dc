package session

import (
	"slices"
	"sync/atomic"

	"steno/messages"
	"steno/session/asr"
)

// languageLock decides which language the utterances of a lane are decoded in.
//
// If the language is to be detected once, the first utterance whose final has words decides it.
// That utterance and those before it are decoded with all candidates, those after it in the
// language found. An utterance that starts while an earlier one may still decide is not sent to an
// engine before that one's final, so the order of the audio decides and not a race.
type languageLock struct {
	candidates []string // none: every language
	once       bool     // detect once and keep the result
	decision   atomic.Pointer[languageDecision]
}

// languageDecision is the language found and the number of the utterance that decided it.
type languageDecision struct {
	language  string
	utterance int64
}

func newLanguageLock(c messages.LanguageConfig) languageLock {
	return languageLock{candidates: c.Languages, once: !c.CodeSwitching && len(c.Languages) != 1}
}

// undecided reports whether a future final may decide the language.
func (l *languageLock) undecided() bool { return l.once && l.decision.Load() == nil }

// apply sets the language, or the candidates, of the utterance with the number.
func (l *languageLock) apply(p asr.Params, utterance int64) asr.Params {
	d := l.decision.Load()
	switch {
	case len(l.candidates) == 1:
		p.Language = l.candidates[0]
	case d != nil && d.utterance < utterance:
		p.Language = d.language
	default:
		p.Languages = l.candidates
	}
	return p
}

// decide records the language of a final that has words. It is called in the order of the
// utterances.
func (l *languageLock) decide(language string, utterance int64) {
	if language != "" && l.undecided() {
		l.decision.Store(&languageDecision{language, utterance})
	}
}

// label returns the language that a transcript names: the only candidate, else the one that the
// recognizer found, else the first candidate, else English.
func (l *languageLock) label(recognized string) string {
	switch {
	case len(l.candidates) == 1:
		return l.candidates[0]
	case recognized != "":
		return recognized
	case len(l.candidates) > 0:
		return l.candidates[0]
	}
	return "en"
}

// vocabulary is the list of terms that recognizers are asked to prefer. Add-ons correct what the
// recognizers miss.
type vocabulary []vocabularyTerm

// vocabularyTerm is a term and the language it is spoken in; empty: any.
type vocabularyTerm struct {
	asr.Term
	language string
}

func newVocabulary(rt messages.RealtimeProcessing) vocabulary {
	if !rt.CustomVocabulary || rt.CustomVocabularyConfig == nil {
		return nil
	}
	usual := messages.DefaultIntensity
	if c := rt.CustomVocabularyConfig.DefaultIntensity; c != nil {
		usual = *c
	}
	var list vocabulary
	for _, e := range rt.CustomVocabularyConfig.Vocabulary {
		t := asr.Term{Text: e.Value, Intensity: usual, Pronunciations: e.Pronunciations}
		if e.Intensity != nil {
			t.Intensity = *e.Intensity
		}
		list = append(list, vocabularyTerm{t, e.Language})
	}
	return list
}

// terms lists the terms that may be spoken in the language, or in one of the candidate languages,
// of an utterance.
func (v vocabulary) terms(p asr.Params) []asr.Term {
	var terms []asr.Term
	for _, e := range v {
		if e.language == "" || e.language == p.Language || p.Language == "" && isCandidate(p.Languages, e.language) {
			terms = append(terms, e.Term)
		}
	}
	return terms
}

// isCandidate reports whether the candidates include a language. An empty list includes every
// language.
func isCandidate(candidates []string, language string) bool {
	return len(candidates) == 0 || slices.Contains(candidates, language)
}

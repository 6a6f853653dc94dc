package session

import (
	"slices"

	"steno/messages"
	"steno/session/asr"
)

// vocabulary is the list of terms that recognizers are asked to prefer. Add-ons correct what the recognizers miss.
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

// terms lists those that may be spoken in the language, or in one of the candidate languages, of an utterance.
func (v vocabulary) terms(p asr.Params) []asr.Term {
	var terms []asr.Term
	for _, e := range v {
		if e.language == "" || e.language == p.Language || p.Language == "" && isCandidate(p.Languages, e.language) {
			terms = append(terms, e.Term)
		}
	}
	return terms
}

// isCandidate reports whether the candidates include a language. An empty list includes every language.
func isCandidate(candidates []string, language string) bool {
	return len(candidates) == 0 || slices.Contains(candidates, language)
}

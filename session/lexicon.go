package session

import (
	"slices"

	"steno/messages"
	"steno/session/asr"
)

// lexicon is the vocabulary that recognizers are told to prefer. What they make of it anyway is corrected afterwards.
type lexicon []lexeme

// lexeme is a term and the language it is said in; empty: whatever is spoken.
type lexeme struct {
	asr.Term
	language string
}

// intensity is that of terms for which the request says none.
const intensity = messages.DefaultIntensity

func newLexicon(rt messages.RealtimeProcessing) lexicon {
	if !rt.CustomVocabulary || rt.CustomVocabularyConfig == nil {
		return nil
	}
	usual := intensity
	if c := rt.CustomVocabularyConfig.DefaultIntensity; c != nil {
		usual = *c
	}
	var list lexicon
	for _, e := range rt.CustomVocabularyConfig.Vocabulary {
		t := asr.Term{Text: e.Value, Intensity: usual, Pronunciations: e.Pronunciations}
		if e.Intensity != nil {
			t.Intensity = *e.Intensity
		}
		list = append(list, lexeme{t, e.Language})
	}
	return list
}

// fitting lists the terms that may be said in the language, or one of those, that the recognizer is told.
func (l lexicon) fitting(p asr.Params) []asr.Term {
	var terms []asr.Term
	for _, e := range l {
		if e.language == "" || e.language == p.Language || p.Language == "" && among(p.Languages, e.language) {
			terms = append(terms, e.Term)
		}
	}
	return terms
}

// among tells whether a language is one of the candidates; none given means all.
func among(candidates []string, language string) bool {
	return len(candidates) == 0 || slices.Contains(candidates, language)
}

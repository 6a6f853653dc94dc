package fusion

import (
	"strings"
	"unicode"

	"steno/session/asr"
)

// hypothesis is the result of one member of the fusion.
type hypothesis struct {
	words  []asr.Word
	timed  bool
	weight float64 // in (0,1]
}

// confidence returns the weighted confidence of a word.
func (b *hypothesis) confidence(w asr.Word) float64 {
	if w.Confidence == 0 {
		return b.weight * unknownConfidence
	}
	return b.weight * w.Confidence
}

// certainty returns the mean confidence, 0 without words.
func (b *hypothesis) certainty() float64 {
	sum := 0.0
	for _, w := range b.words {
		sum += b.confidence(w)
	}
	return sum / float64(max(len(b.words), 1))
}

// arc is a hypothesis's word in one slot of the network, or the lack of one.
type arc struct {
	hypothesis *hypothesis
	word       *asr.Word // nil: none
	form       string    // the word's normal form
}

// same reports whether two arcs have the same word, or both none.
func (a arc) same(b arc) bool { return (a.word == nil) == (b.word == nil) && a.form == b.form }

// distant reports whether two words cannot be of the same moment, allowing for the inaccuracy of
// some engines' times.
func (a arc) distant(b arc) bool {
	if a.word == nil || b.word == nil || !a.hypothesis.timed || !b.hypothesis.timed {
		return false
	}
	return a.word.Start-b.word.End > asr.Rate || b.word.Start-a.word.End > asr.Rate
}

// normal returns the form in which words are compared: lower case, without punctuation except
// apostrophes within. A word of punctuation only is itself.
func normal(text string) string {
	form := strings.Map(func(r rune) rune {
		switch {
		case r == '’':
			return '\''
		case r == '\'' || unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, text)
	if form = strings.Trim(form, "'"); form == "" {
		return text
	}
	return form
}

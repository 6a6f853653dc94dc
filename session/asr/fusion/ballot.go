package fusion

import (
	"strings"
	"unicode"

	"steno/session/asr"
)

// ballot is what one member heard.
type ballot struct {
	words  []asr.Word
	timed  bool
	weight float64 // in (0,1]
}

// confidence of a word, weighted.
func (b *ballot) confidence(w asr.Word) float64 {
	if w.Confidence == 0 {
		return b.weight * untold
	}
	return b.weight * w.Confidence
}

// certainty is the mean confidence, 0 without words.
func (b *ballot) certainty() float64 {
	sum := 0.0
	for _, w := range b.words {
		sum += b.confidence(w)
	}
	return sum / float64(max(len(b.words), 1))
}

// arc is what one ballot has at one place of the network: a word, or none.
type arc struct {
	ballot *ballot
	word   *asr.Word // nil: none
	form   string    // the word's normal form
}

// same tells whether two arcs stand for the same word, or both for none.
func (a arc) same(b arc) bool { return (a.word == nil) == (b.word == nil) && a.form == b.form }

// apart tells whether two words cannot be of the same moment, sloppy as some engines' times are.
func (a arc) apart(b arc) bool {
	if a.word == nil || b.word == nil || !a.ballot.timed || !b.ballot.timed {
		return false
	}
	return a.word.Start-b.word.End > asr.Rate || b.word.Start-a.word.End > asr.Rate
}

// normal is the form in which words are compared: lower case, without punctuation but apostrophes within. A word that is
// nothing but punctuation is itself.
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

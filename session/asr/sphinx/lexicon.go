package sphinx

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"steno/session/asr"
)

// Bounds of what a vocabulary adds to a decoder; what is beyond is left out.
const (
	maxWords  = 1000
	maxSounds = 5  // pronunciations of a word
	maxSaid   = 64 // bytes of a word or a respelling
)

// taughtWord is a word the decoder has to learn.
type taughtWord struct {
	text        string   // as the user writes it
	respellings []string // how it sounds, in words; none: as its letters are read
	tenths      int      // intensity, 1 to 10
}

// weight multiplies the probability the language model gives to a word it knows nothing of. At intensity 0.5 it is what
// lets a word win where it was said, and seldom elsewhere.
func (w taughtWord) weight() float32 {
	return float32(math.Pow(10, weightBase+weightStep*float64(w.tenths)/10))
}

const weightBase, weightStep = 3, 2

// lexicon is what a vocabulary adds to a decoder; empty where the decoder knows all of it.
type lexicon struct {
	key   string // the same for the same words, however they were listed
	words []taughtWord
}

// lexicon of the words of a vocabulary. Of several that belong together those that the models know are not taught: they
// are common ones mostly, "bank" and "of".
func (d *dictionary) lexicon(terms []asr.Term) lexicon {
	if d == nil {
		return lexicon{}
	}
	byText := map[string]taughtWord{}
	for _, t := range terms {
		tenths := int(math.Round(10 * min(max(t.Intensity, 0), 1)))
		words := strings.Fields(t.Text)
		for i, text := range words {
			if tenths < 1 || len(text) > maxSaid || len(words) > 1 && d.known(text) {
				continue
			}
			w := byText[text]
			w.text, w.tenths = text, max(w.tenths, tenths)
			w.respellings = append(w.respellings, respellings(t, i, len(words))...)
			byText[text] = w
		}
	}
	return newLexicon(byText)
}

func newLexicon(byText map[string]taughtWord) lexicon {
	var l lexicon
	for _, w := range byText {
		slices.Sort(w.respellings)
		w.respellings = slices.Compact(w.respellings)
		w.respellings = w.respellings[:min(len(w.respellings), maxSounds)]
		l.words = append(l.words, w)
	}
	slices.SortFunc(l.words, func(a, b taughtWord) int {
		return cmp.Or(cmp.Compare(b.tenths, a.tenths), strings.Compare(a.text, b.text))
	})
	l.words = l.words[:min(len(l.words), maxWords)]
	var key strings.Builder
	for _, w := range l.words {
		fmt.Fprintf(&key, "%q %q %d\n", w.text, w.respellings, w.tenths)
	}
	l.key = key.String()
	return l
}

// respellings are the pronunciations of word i of the n of a term: those of the same number of words, or of the whole.
func respellings(t asr.Term, i, n int) []string {
	var out []string
	for _, p := range t.Pronunciations {
		switch words := strings.Fields(p); {
		case len(p) > maxSaid:
		case n == 1:
			out = append(out, p)
		case len(words) == n:
			out = append(out, words[i])
		}
	}
	return out
}

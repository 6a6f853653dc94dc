package sphinx

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"steno/session/asr"
)

// Bounds of what a vocabulary adds to a decoder. What exceeds them is left out.
const (
	maxWords  = 1000
	maxSounds = 5  // pronunciations of a word
	maxSaid   = 64 // bytes of a word or a respelling
)

// addedWord is a word that the decoder has to learn.
type addedWord struct {
	text        string   // as the user writes it
	respellings []string // how it sounds, in words; empty: by its spelling
	tenths      int      // intensity, 1 to 10
}

// weight multiplies the probability that the language model assigns to an unknown word. At
// intensity 0.5 a word wins where it was spoken, and seldom elsewhere.
func (w addedWord) weight() float32 {
	return float32(math.Pow(10, weightBase+weightStep*float64(w.tenths)/10))
}

const weightBase, weightStep = 3, 2

// lexicon is what a vocabulary adds to a decoder. It is empty if the decoder knows all its words.
type lexicon struct {
	key   string // equal for equal words, in whatever order they were listed
	words []addedWord
}

// lexicon returns the lexicon of a vocabulary. Words of a term that the models know are not added:
// most are common ones, "bank" and "of".
func (d *dictionary) lexicon(terms []asr.Term) lexicon {
	if d == nil {
		return lexicon{}
	}
	byText := map[string]addedWord{}
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

func newLexicon(byText map[string]addedWord) lexicon {
	var l lexicon
	for _, w := range byText {
		slices.Sort(w.respellings)
		w.respellings = slices.Compact(w.respellings)
		w.respellings = w.respellings[:min(len(w.respellings), maxSounds)]
		l.words = append(l.words, w)
	}
	slices.SortFunc(l.words, func(a, b addedWord) int {
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

// respellings returns the pronunciations of word i of a term's n words: those of n words, or those
// of the whole term.
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

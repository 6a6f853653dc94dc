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
	maxNewWords  = 1000
	maxSounds    = 5  // pronunciations of a word
	maxWordBytes = 64 // of a word or a respelling
)

// newWord is a word the decoder has to learn.
type newWord struct {
	text   string   // as the user writes it
	sounds []string // phones, at least one pronunciation
	tenths int      // intensity, 1 to 10
}

// weight multiplies the probability the language model gives to a word it knows nothing of. At intensity 0.5 it is what
// lets a word win where it was said, and not elsewhere.
func (w newWord) weight() float32 {
	return float32(math.Pow(10, weightBase+weightStep*float64(w.tenths)/10))
}

const weightBase, weightStep = 2, 4

// lexicon is what a vocabulary adds to a decoder; empty where the decoder knows all of it.
type lexicon struct {
	key   string // the same for the same words, however they were listed
	words []newWord
}

// lexicon of the single words of a vocabulary that the dictionary does not have.
func (d *dictionary) lexicon(terms []asr.Term) lexicon {
	if d == nil {
		return lexicon{}
	}
	byText := map[string]newWord{}
	for _, t := range terms {
		tenths := int(math.Round(10 * min(max(t.Intensity, 0), 1)))
		words := strings.Fields(t.Text)
		for i, text := range words {
			if tenths < 1 || len(text) > maxWordBytes || d.entries[strings.ToLower(text)] != "" {
				continue
			}
			w := byText[text]
			w.text, w.tenths = text, max(w.tenths, tenths)
			w.sounds = append(w.sounds, d.sounds(text, respellings(t, i, len(words)))...)
			byText[text] = w
		}
	}
	return newLexicon(byText)
}

func newLexicon(byText map[string]newWord) lexicon {
	var l lexicon
	for _, w := range byText {
		slices.Sort(w.sounds)
		w.sounds = slices.Compact(w.sounds)
		if len(w.sounds) > 0 {
			w.sounds = w.sounds[:min(len(w.sounds), maxSounds)]
			l.words = append(l.words, w)
		}
	}
	slices.SortFunc(l.words, func(a, b newWord) int {
		return cmp.Or(cmp.Compare(b.tenths, a.tenths), strings.Compare(a.text, b.text))
	})
	l.words = l.words[:min(len(l.words), maxNewWords)]
	var key strings.Builder
	for _, w := range l.words {
		fmt.Fprintf(&key, "%q %q %d\n", w.text, w.sounds, w.tenths)
	}
	l.key = key.String()
	return l
}

// respellings are the pronunciations of word i of the n of a term: those of the same number of words, or of the whole.
func respellings(t asr.Term, i, n int) []string {
	if n == 1 {
		return t.Pronunciations
	}
	var out []string
	for _, p := range t.Pronunciations {
		if words := strings.Fields(p); len(words) == n {
			out = append(out, words[i])
		}
	}
	return out
}

// sounds of a word: of its respellings, or else of its own letters.
func (d *dictionary) sounds(text string, respellings []string) []string {
	var out []string
	for _, r := range respellings {
		if len(r) > maxWordBytes {
			continue
		}
		if phones := d.say(r); phones != "" {
			out = append(out, phones)
		}
	}
	if len(out) == 0 {
		if phones := d.say(text); phones != "" {
			out = append(out, phones)
		}
	}
	return out
}

package whole

import (
	"strings"
	"unicode"

	"steno/session/asr"
)

// Agreement makes the partials of a decoder stable that decodes growing audio from its beginning
// each time. The zero value is that of no decode. Values do not change.
type Agreement struct {
	newest []asr.Word // of the last decode
	shown  []asr.Word
}

// Add returns the words to show after a further decode: those that it has in common with the decode
// before, with single ones between them that it has not, and one more. What follows, the next
// decode often takes back. A decode that leaves less than half of what was shown before changes
// nothing. words are kept.
func (a Agreement) Add(words []asr.Word) (shown []asr.Word, next Agreement) {
	shown = words[:min(common(a.newest, words)+1, len(words))]
	if 2*len(shown) < len(a.shown) {
		shown = a.shown
	}
	return shown, Agreement{newest: words, shown: shown}
}

// common returns how many words of b there are up to the last that both texts have in the same
// order, before two in a row that they do not.
func common(a, b []asr.Word) int {
	// of the longest common subsequence of the words of a so far and the first words of b
	lengths := make([]int, len(b)+1)
	for _, w := range a {
		diagonal := 0
		for j := range b {
			longest := max(lengths[j+1], lengths[j])
			if alike(w, b[j]) {
				longest = diagonal + 1
			}
			diagonal, lengths[j+1] = lengths[j+1], longest
		}
	}
	n := 0
	for j := range b {
		if lengths[j+1] > lengths[j] {
			n = j + 1
		} else if j > n {
			break
		}
	}
	return n
}

// alike reports whether two words differ in case and punctuation at most.
func alike(a, b asr.Word) bool {
	return strings.EqualFold(strings.TrimFunc(a.Text, unicode.IsPunct), strings.TrimFunc(b.Text, unicode.IsPunct))
}

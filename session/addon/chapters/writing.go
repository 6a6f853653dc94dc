package chapters

import (
	"strings"
	"unicode"

	"steno/session/addon/sentences"
	"steno/session/addon/summary/terms"
)

// writing is how words are written that are not in small letters wherever they stand, by their small letters: names.
type writing map[string]string

// written reads how words are written, where the place in the sentence does not say so: not at its beginning, and not in
// sentences that are all in capitals. What is written in several ways is a name where most are.
func written(said []sentences.Sentence, reader *terms.Reader) writing {
	uses := map[string]map[string]int{}
	for _, s := range said {
		if !strings.ContainsFunc(s.Text, unicode.IsLower) {
			continue
		}
		for i, w := range reader.Of(s.Text, s.Language) {
			if i == 0 && !strings.ContainsFunc(w.Said[1:], unicode.IsUpper) {
				continue
			}
			if uses[w.Word] == nil {
				uses[w.Word] = map[string]int{}
			}
			uses[w.Word][w.Said]++
		}
	}
	names := writing{}
	for word, forms := range uses {
		if form := mostUsed(forms); form != word {
			names[word] = form
		}
	}
	return names
}

// mostUsed is the form with most uses; of several the last in the order of letters, which is small.
func mostUsed(forms map[string]int) (best string) {
	for form, n := range forms {
		if n > forms[best] || n == forms[best] && form > best {
			best = form
		}
	}
	return best
}

// of is a word as it is written.
func (w writing) of(word string) string {
	if name, ok := w[word]; ok {
		return name
	}
	return word
}

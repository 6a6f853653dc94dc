package chapters

import (
	"strings"
	"unicode"

	"steno/session/addon/sentences"
	"steno/session/addon/summary/terms"
)

// capitalization maps words in lower case to the form in which the transcript has them, for words
// that have capitals within sentences: names.
type capitalization map[string]string

// capitalizationOf finds the form of the words of a transcript. It does not count words at the
// beginning of a sentence, nor sentences in capitals. A word with several forms has the one that is
// used most.
func capitalizationOf(said []sentences.Sentence, reader *terms.Reader) capitalization {
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
	names := capitalization{}
	for word, forms := range uses {
		if form := mostUsed(forms); form != word {
			names[word] = form
		}
	}
	return names
}

// mostUsed returns the form with the most uses; of several the last in alphabetical order, which is
// in lower case.
func mostUsed(forms map[string]int) (best string) {
	for form, n := range forms {
		if n > forms[best] || n == forms[best] && form > best {
			best = form
		}
	}
	return best
}

// of returns the form of a word in lower case.
func (w capitalization) of(word string) string {
	if name, ok := w[word]; ok {
		return name
	}
	return word
}

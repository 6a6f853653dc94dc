package vocabulary

import (
	"strings"
	"unicode/utf8"

	"steno/messages"
)

// replaceWords writes the matches into the words.
func (k *Corrector) replaceWords(old []messages.Word, words []recognizedWord, matches []match) []messages.Word {
	var out []messages.Word
	at := 0
	for _, m := range matches {
		out = append(out, old[at:m.from]...)
		out = append(out, retime(old[m.from:m.to], k.entries[m.entry].words, words[m.from].before, words[m.to-1].after)...)
		at = m.to
	}
	return append(out, old[at:]...)
}

// retime returns the words of a value with the times of the words that they replace: one by one if their number is the same,
// else divided by the letters. The confidence is the mean of those that are known. Marks before and after them are kept, but
// not twice: the value may have the same.
func retime(old []messages.Word, value []string, before, after string) []messages.Word {
	start, end := old[0].Start, old[len(old)-1].End
	total := utf8.RuneCountInString(strings.Join(value, ""))
	letters, confidence := 0, messages.MeanConfidence(old)
	out := make([]messages.Word, len(value))
	at := start
	for i, word := range value {
		letters += utf8.RuneCountInString(word)
		out[i] = messages.Word{Word: " " + word, Start: at, Confidence: confidence}
		at = start + (end-start)*float64(letters)/float64(total)
		out[i].End = at
		if len(value) == len(old) {
			out[i].Start, out[i].End = old[i].Start, old[i].End
		}
	}
	out[0].Word = strings.TrimSuffix(before, messages.Overlap(before, value[0])) + value[0]
	out[len(out)-1].Word += strings.TrimPrefix(after, messages.Overlap(value[len(value)-1], after))
	out[len(out)-1].End = end
	return out
}

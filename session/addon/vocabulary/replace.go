package vocabulary

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"steno/messages"
	"steno/session/addon/sentences"
)

// replaceWords writes the matches into the words.
func (k *Corrector) replaceWords(old []messages.Word, words []recognizedWord, matches []match,
	language string) []messages.Word {
	var out []messages.Word
	at := 0
	for _, m := range matches {
		out = append(out, old[at:m.from]...)
		last := &words[m.to-1]
		if m.owner {
			last = last.owner
		}
		after := last.after
		if m.to < len(old) && dotted(words[m.from:m.to]) && !sentences.Starts(old[m.to].Word) {
			after = strings.TrimPrefix(after, ".") // of "a.w.s.", not of the sentence
		}
		value := k.entries[m.entry].words
		if begins(old, m.from) && capital(words[m.from].core) {
			value = raised(value, language)
		}
		out = append(out, retime(old[m.from:m.to], value, words[m.from].before, after)...)
		at = m.to
	}
	return append(out, old[at:]...)
}

// dotted reports whether words are an abbreviation with full stops, as "a.w.s.", unlike "post gres
// Q L." at the end of a sentence.
func dotted(words []recognizedWord) bool {
	last := words[len(words)-1].core
	return sentences.Abbreviated("en", last+".") && (len(words) == 1 || strings.Contains(last, "."))
}

// begins reports whether a sentence begins with words[i].
func begins(words []messages.Word, i int) bool {
	if i == 0 {
		return true
	}
	before := words[i-1].Word
	return sentences.Ends([]messages.Word{{Word: before}}, "en")[0] && !sentences.Abbreviated("en", before)
}

func capital(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return unicode.IsUpper(first)
}

// raised returns a value as it stands at the beginning of a sentence. A word with capitals of its
// own stays.
func raised(value []string, language string) []string {
	first, size := utf8.DecodeRuneInString(value[0])
	if strings.ToLower(value[0]) != value[0] {
		return value
	}
	title := unicode.ToTitle(first)
	if language == "tr" || language == "az" {
		title = unicode.TurkishCase.ToTitle(first)
	}
	return append([]string{string(title) + value[0][size:]}, value[1:]...)
}

// retime returns the words of a value with the times of the words that they replace: one by one if
// their number is the same, else divided by the letters. The confidence is the mean of those that
// are known. Marks before and after them are kept, but not twice: the value may have the same.
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

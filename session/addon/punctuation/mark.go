package punctuation

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"steno/messages"
	"steno/session/addon/sentences"
)

// marked reports whether any of the words has a mark at its end. The full stop of an abbreviation
// is none, unless it ends text with an initial capital. Text of one long word, as scripts without
// spaces have it, has marks within.
func marked(words []messages.Word, language string) bool {
	for i, w := range words {
		last, _ := utf8.DecodeLastRuneInString(bare(w.Word))
		written := i == len(words)-1 && capitalized(words)
		if messages.EndsPart(last) && (written || !sentences.Abbreviated(language, w.Word)) ||
			strings.ContainsFunc(w.Word, isWideMark) {
			return true
		}
	}
	return false
}

// isWideMark reports whether a rune is a mark of a script that is written without spaces.
func isWideMark(r rune) bool { return r >= 0x2e80 && messages.EndsPart(r) }

// capitalized reports whether words begin with a capital that means something: they have small
// letters too.
func capitalized(words []messages.Word) bool {
	first, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(words[0].Word, func(r rune) bool { return !letter(r) }))
	return unicode.IsUpper(first) && slices.ContainsFunc(words,
		func(w messages.Word) bool { return strings.ContainsFunc(w.Word, unicode.IsLower) })
}

// bare returns a word without the white space around it and the quotes and brackets at its end.
func bare(word string) string {
	return strings.TrimRightFunc(strings.TrimSpace(word), func(r rune) bool {
		return r == '"' || r == '\'' || unicode.In(r, unicode.Pe, unicode.Pf)
	})
}

// ends reports whether a sentence ends with the last of the words.
func ends(words []messages.Word, language string) bool {
	word := words[len(words)-1].Word
	last, _ := utf8.DecodeLastRuneInString(bare(word))
	return messages.EndsSentence(last) && !sentences.Abbreviated(language, word)
}

// mark punctuates utterance i by pauses and rules, and returns after which words a sentence ends.
func (t speakerText) mark(i int, begins bool) (ended []bool) {
	u := t.utterances[i]
	ended = make([]bool, len(u.Words))
	from := 0 // of the sentence
	for n := range u.Words {
		last := n == len(u.Words)-1
		switch {
		case last && t.goesOn(i), !last && hangs(u.Words[n].Word, u.Language), blank(u.Words[n].Word):
		case last || u.Words[n+1].Start-u.Words[n].End >= t.stop:
			// What a sentence begun in the utterance before asks is not known.
			stop := sentences.FullStop(u.Language)
			if u.Language == "en" && (begins || from > 0) && asks(u.Words[from:n+1]) {
				stop = "?"
			}
			u.Words[n].Word = with(u.Words[n].Word, stop)
			from, ended[n] = n+1, stop != ""
		case u.Language == "en" && u.Words[n+1].Start-u.Words[n].End >= t.comma:
			u.Words[n].Word = with(u.Words[n].Word, ",")
		}
	}
	return ended
}

func blank(word string) bool { return !strings.ContainsFunc(word, letter) }

func letter(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) }

// with returns a word followed by a mark. The full stop of an abbreviation ends its sentence too.
func with(word, mark string) string {
	word = strings.TrimRightFunc(word, unicode.IsSpace)
	if mark == "." && strings.HasSuffix(word, ".") {
		return word
	}
	return word + mark
}

// hangs reports whether a word never ends a sentence: a pause after it is a hesitation.
func hangs(word, language string) bool {
	if language != "en" {
		return false
	}
	switch strings.ToLower(strings.TrimSpace(word)) {
	case "a", "an", "the", "of", "to", "and", "or", "but", "with", "from", "for", "at", "by", "into", "my", "your",
		"his", "our", "their",
		"i", "i'm", "we", "they", "he", "she", "is", "are", "was", "were", "be", "because", "if", "than", "as", "very",
		"um", "uh", "uhm", "er":
		return true
	}
	return false
}

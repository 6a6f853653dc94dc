package sentiment

import (
	"strings"
	"unicode"
)

const (
	// mostWords bounds the work for one sentence: what follows is not read.
	mostWords = 400
	// mostBytes bounds one word: longer ones are cut.
	mostBytes = 64
)

// tokenize returns the words of a text in lower case, without the punctuation around them.
func tokenize(text string) []string {
	var words []string
	for field := range strings.FieldsSeq(text) {
		if len(words) == mostWords {
			break
		}
		if w := normalize(field); w != "" {
			words = append(words, w)
		}
	}
	return words
}

// normalize returns a word in lower case with letters or digits at both ends, and with the plain
// apostrophe.
func normalize(field string) string {
	if len(field) > mostBytes {
		field = strings.ToValidUTF8(field[:mostBytes], "")
	}
	w := strings.TrimFunc(field, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return strings.ReplaceAll(strings.ToLower(w), "’", "'")
}

// contrasts are the words that set one part of a sentence against another.
func contrasts(word string) bool {
	switch word {
	case "but", "although", "though", "however", "yet", "except", "whereas", "unfortunately", "luckily", "fortunately",
		"still":
		return true
	}
	return false
}

// parts cuts words where one part of the sentence is set against another.
func parts(words []string) [][]string {
	var cut [][]string
	from := 0
	for i, w := range words {
		if contrasts(w) && i > from {
			cut = append(cut, words[from:i])
			from = i + 1
		}
	}
	if from < len(words) {
		cut = append(cut, words[from:])
	}
	return cut
}

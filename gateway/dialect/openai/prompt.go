package openai

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"steno/messages"
)

const (
	// maxTerms is how many terms are taken of a prompt and of keywords, together.
	maxTerms = 500
	// maxTermWords and maxTermBytes bound a term of a list within a prompt: what is longer is
	// prose.
	maxTermWords = 4
	maxTermBytes = 100
	// maxKeyword bounds a keyword, in characters, as vocabularies do.
	maxKeyword = 500
)

// Vocabulary returns the vocabulary of a request: its keywords as they are, and the terms of its
// prompt. nil: there are none. Terms beyond what a vocabulary holds are left out.
func Vocabulary(prompt string, keywords ...string) *messages.CustomVocabularyConfig {
	var list []messages.VocabularyEntry
	add := func(term string) {
		if term == "" || len(list) >= maxTerms || slices.ContainsFunc(list,
			func(e messages.VocabularyEntry) bool { return e.Value == term }) {
			return
		}
		list = append(list, messages.VocabularyEntry{Value: term})
	}
	for _, k := range keywords {
		if k = strings.TrimSpace(k); utf8.RuneCountInString(k) <= maxKeyword {
			add(k)
		}
	}
	for _, term := range promptTerms(prompt) {
		add(term)
	}
	if len(list) == 0 {
		return nil
	}
	usual := messages.DefaultIntensity
	return &messages.CustomVocabularyConfig{Vocabulary: list, DefaultIntensity: &usual}
}

// promptTerms returns the terms of a prompt: the items of a list, and of prose what is spelt as
// names are, with a capital within a sentence, with several capitals, or with a digit. Ordinary
// words must not be preferred: a recognizer would hear them everywhere.
func promptTerms(prompt string) (terms []string) {
	for line := range strings.FieldsFuncSeq(prompt, func(r rune) bool { return r == '\n' || r == ';' }) {
		if isList(line) {
			for item := range strings.SplitSeq(line, ",") {
				terms = append(terms, trimTerm(afterLabel(item)))
			}
			continue
		}
		terms = append(terms, properNames(line)...)
	}
	return terms
}

// afterLabel returns an item without a label before it, as in "Names: Ann".
func afterLabel(item string) string {
	if _, rest, ok := strings.Cut(item, ": "); ok {
		return rest
	}
	return item
}

// isList reports whether a line is a list of terms: short items between commas, or a single one.
func isList(line string) bool {
	if line = strings.TrimSpace(line); strings.HasSuffix(line, "..") || strings.HasSuffix(line, "…") {
		return false
	}
	items := strings.Split(line, ",")
	for _, item := range items {
		item = trimTerm(afterLabel(item))
		if len(item) > maxTermBytes || len(strings.Fields(item)) > maxTermWords || strings.ContainsAny(item, "?!") ||
			strings.Contains(item, ". ") {
			return false
		}
	}
	return len(items) > 2 || len(strings.Fields(line)) <= 2*len(items)
}

// properNames returns the words of prose that are spelt as names are. Words that follow each other
// are one term.
func properNames(prose string) (terms []string) {
	var run []string
	flush := func() {
		if len(run) > 0 && len(run) <= maxTermWords {
			terms = append(terms, strings.Join(run, " "))
		}
		run = nil
	}
	first := true // of a sentence
	for _, field := range strings.Fields(prose) {
		word := trimTerm(field)
		if len(word) <= maxTermBytes && isName(word, first) {
			run = append(run, word)
		} else {
			flush()
		}
		last, _ := utf8.DecodeLastRuneInString(field)
		if first = messages.EndsSentence(last); messages.EndsPart(last) {
			flush()
		}
	}
	flush()
	return terms
}

// isName reports whether a word is spelt as a name.
func isName(word string, first bool) bool {
	capitals, digits, letters := 0, 0, 0
	for _, r := range word {
		switch {
		case unicode.IsUpper(r):
			capitals++
			letters++
		case unicode.IsLetter(r):
			letters++
		case unicode.IsDigit(r):
			digits++
		}
	}
	initial, _ := utf8.DecodeRuneInString(word)
	switch {
	case letters == 0 || letters == 1 && digits == 0:
		return false
	case digits > 0 || capitals > 1:
		return true
	case capitals == 1 && !unicode.IsUpper(initial):
		return true
	}
	return capitals == 1 && !first
}

// trimTerm returns a term without the marks around it.
func trimTerm(text string) string {
	return strings.TrimFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(`.,;:!?"'“”„‘’«»()[]{}…*-–—`, r)
	})
}

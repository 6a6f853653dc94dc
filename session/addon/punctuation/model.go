package punctuation

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"steno/messages"
)

// take asks the model for marks and capitals and applies them to the utterance's words. If begins
// is true, a sentence begins with the utterance; else its first word keeps its letters. If goesOn
// is true, the utterance gets no full stop at its end. If the model has no answer, adds no mark, or
// changes the text otherwise, take changes nothing and returns false.
func take(model func(text, language string) (string, bool), u *messages.Utterance, begins, goesOn bool) bool {
	answer, ok := model(strings.TrimSpace(messages.TextOf(u.Words)), u.Language)
	if !ok || !utf8.ValidString(answer) {
		return false
	}
	taken, ok := align(u.Words, answer, begins)
	if !ok {
		return false
	}
	if n := len(taken) - 1; goesOn {
		taken[n] = strings.TrimRight(taken[n], ".。।")
	}
	words := make([]messages.Word, len(taken))
	for i, text := range taken {
		words[i] = u.Words[i]
		words[i].Word = text
	}
	capitals(words, u.Language, begins, nil) // whether a full stop ends a sentence or an abbreviation depends on them
	if !marked(words, u.Language) {
		return false
	}
	copy(u.Words, words)
	return true
}

// align finds the words in an answer that may have other capitals, and marks between them. begins
// is as for take.
func align(words []messages.Word, answer string, begins bool) ([]string, bool) {
	rest := strings.TrimSpace(answer)
	texts := make([]string, len(words))
	for i, w := range words {
		text := strings.TrimSpace(w.Word)
		var opening, found, marks string
		opening, rest = openers(rest)
		var ok bool
		if found, rest, ok = consume(rest, text); !ok {
			return nil, false
		}
		marks, rest = closers(rest, found)
		if marks == "." && strings.HasSuffix(found, ".") {
			marks = "" // an abbreviation's ends the sentence too
		}
		if i == 0 && !begins {
			found = text
		}
		space := w.Word[:len(w.Word)-len(strings.TrimLeftFunc(w.Word, unicode.IsSpace))]
		texts[i] = space + opening + found + marks
	}
	return texts, rest == ""
}

// consume takes word, in any case, from the beginning of text.
func consume(text, word string) (found, rest string, ok bool) {
	end := 0
	for _, r := range word {
		got, size := utf8.DecodeRuneInString(text[end:])
		if size == 0 || !sameLetter(got, r) {
			return "", "", false
		}
		end += size
	}
	return text[:end], text[end:], true
}

func sameLetter(a, b rune) bool {
	return a == b || unicode.ToLower(a) == unicode.ToLower(b) || unicode.TurkishCase.ToLower(a) ==
		unicode.TurkishCase.ToLower(b)
}

// openers are the marks before a word: Spanish has some.
func openers(text string) (marks, rest string) {
	rest = strings.TrimLeft(text, "¿¡")
	return text[:len(text)-len(rest)], rest
}

// closers returns the marks that follow a word, with or without space between. Full-width marks
// after words of other scripts become those of that script: models for Chinese write them
// everywhere.
func closers(text, word string) (marks, rest string) {
	last, _ := utf8.DecodeLastRuneInString(word)
	for {
		trimmed := strings.TrimLeftFunc(text, unicode.IsSpace)
		r, size := utf8.DecodeRuneInString(trimmed)
		if size == 0 || !messages.EndsPart(r) {
			return marks, trimmed
		}
		if last < 0x2e80 {
			r = halfWidth(r)
		}
		marks, text = marks+string(r), trimmed[size:]
	}
}

func halfWidth(r rune) rune {
	switch r {
	case '，', '、':
		return ','
	case '。':
		return '.'
	case '？':
		return '?'
	case '！':
		return '!'
	case '；':
		return ';'
	case '：':
		return ':'
	}
	return r
}

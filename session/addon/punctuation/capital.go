package punctuation

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"steno/messages"
	"steno/session/addon/entities"
)

// capitals capitalizes the first word of each sentence, and the English "I". If begins is true, a
// sentence begins with the first word. A sentence ends after each word with a final mark, and after
// each word i for which ended[i] is true; ended may be nil.
func capitals(words []messages.Word, language string, begins bool, ended []bool) {
	for i := range words {
		if blank(words[i].Word) {
			continue
		}
		if begins || language == "en" && self(words[i].Word) {
			words[i].Word = initial(words[i].Word, language)
		}
		begins = ends(words[i:i+1], language) || ended != nil && ended[i]
	}
}

// self reports whether a word is "i", "i'm" or the like.
func self(word string) bool {
	word = strings.Trim(strings.TrimSpace(word), ",.?!;:")
	return word == "i" || strings.HasPrefix(word, "i'") || strings.HasPrefix(word, "i’")
}

// initial is a word whose first letter is a capital, if it begins with a small one and has no
// capitals of its own.
func initial(word, language string) string {
	i := strings.IndexFunc(word, letter)
	if i < 0 || strings.ContainsFunc(word, unicode.IsUpper) {
		return word
	}
	r, size := utf8.DecodeRuneInString(word[i:])
	if !unicode.IsLower(r) {
		return word
	}
	return word[:i] + string(caser(language).ToTitle(r)) + word[i+size:]
}

// caser returns the case rules of a language.
func caser(language string) unicode.SpecialCase {
	if language == "tr" || language == "az" {
		return unicode.TurkishCase
	}
	return nil
}

// lowered makes words small, but for letters that stand alone: they are spelled, or "I".
func lowered(words []messages.Word, language string) {
	for i := range words {
		letters := 0
		for _, r := range words[i].Word {
			letters += one(unicode.IsLetter(r))
		}
		if letters > 1 {
			words[i].Word = strings.ToLowerSpecial(caser(language), words[i].Word)
		}
	}
}

// small lowers the initial capital of words that begin in the middle of an English sentence, if the
// first of them is no name: it has the capital because an engine takes each utterance for a
// sentence.
func small(words []messages.Word, language string) {
	w := &words[0]
	i := strings.IndexFunc(w.Word, letter)
	if language != "en" || i < 0 || self(strings.ToLower(w.Word)) ||
		!entities.Ordinary(strings.TrimFunc(w.Word, func(r rune) bool { return !letter(r) })) {
		return
	}
	_, size := utf8.DecodeRuneInString(w.Word[i:])
	if rest := w.Word[i+size:]; !strings.ContainsFunc(rest, unicode.IsUpper) {
		w.Word = w.Word[:i] + strings.ToLower(w.Word[i:i+size]) + rest
	}
}

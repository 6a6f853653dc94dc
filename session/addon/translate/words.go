package translate

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"steno/messages"
	"steno/session/addon/sentences"
)

// spaceless are the languages that put no spaces between words.
func spaceless(language string) bool {
	return slices.Contains([]string{"zh", "ja", "th", "lo", "km", "my", "bo"}, language)
}

// wordsOf cuts a text on one line into words, each with the space before it; the first always has
// one. Joined they are the text. Where a language has no spaces, a word is what Unicode takes for
// one, which is a sign in most cases.
func wordsOf(s, language string) []string {
	if s == "" {
		return nil
	}
	if spaceless(language) {
		return signsOf(" " + s)
	}
	words := strings.Split(s, " ")
	for i, w := range words {
		words[i] = " " + w
	}
	return words
}

// signsOf cuts at Unicode's word boundaries (UAX 29). Spaces and opening brackets go with what
// follows, other punctuation with what was before.
func signsOf(s string) []string {
	var words []string
	before := ""
	for state := -1; s != ""; {
		var part string
		part, s, state = uniseg.FirstWordInString(s, state)
		r, _ := utf8.DecodeRuneInString(part)
		switch {
		case unicode.IsSpace(r), unicode.In(r, unicode.Ps, unicode.Pi):
			before += part
		case unicode.IsPunct(r) && len(words) > 0 && before == "":
			words[len(words)-1] += part
		default:
			words, before = append(words, before+part), ""
		}
	}
	if before != "" && len(words) > 0 {
		words[len(words)-1] += before
	} else if before != "" {
		words = []string{before}
	}
	return words
}

// sentencesOf divides a text on one line into sentences.
func sentencesOf(s, language string) []string {
	var all []string
	for _, one := range sentences.Split([]messages.Utterance{{Text: s, Language: language}}) {
		all = append(all, one.Text)
	}
	return all
}

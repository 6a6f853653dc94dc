package messages

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// dotless has the small letters of the Turkic languages whose letter i has two kinds.
var dotless = strings.NewReplacer("I", "ı", "İ", "i")

// dotted takes away the dot that the small letter of "İ" has where a language has one kind of i.
var dotted = strings.NewReplacer("i\u0307", "i")

// Fold returns a text in the form in which its words are compared in a language: of letters that
// differ in case, or in how they are composed with their marks, one. "ß" is "ss", and both small
// sigmas are one. In Turkish and Azerbaijani the capital of "i" is "İ", and that of "ı" is "I".
// Greek capitals have no accents, so that Greek is compared without. An empty language is any
// other.
func Fold(text, language string) string {
	text = norm.NFC.String(text)
	base, _, _ := strings.Cut(strings.ToLower(language), "-")
	switch base {
	case "tr", "az":
		text = dotless.Replace(text)
	case "el":
		text = withoutMarks(text)
	}
	return norm.NFC.String(dotted.Replace(cases.Fold().String(text)))
}

// FoldAny is [Fold] for comparisons of texts in languages that are not known: both kinds of i are
// one.
func FoldAny(text string) string { return strings.ReplaceAll(Fold(text, ""), "ı", "i") }

// withoutMarks returns a text without its combining marks, composed ones included.
func withoutMarks(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(text))
}

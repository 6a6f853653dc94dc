package llm

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Occurrence is where a quote stands in a text, as whole words and where it may; -1: nowhere.
func Occurrence(s, quote string, may func(start, end int) bool) int {
	if strings.TrimSpace(quote) == "" || strings.TrimSpace(quote) != quote {
		return -1
	}
	for from := 0; ; {
		i := strings.Index(s[from:], quote)
		if i < 0 {
			return -1
		}
		start, end := from+i, from+i+len(quote)
		if isBoundary(s, start) && isBoundary(s, end) && may(start, end) {
			return start
		}
		_, size := utf8.DecodeRuneInString(s[start:])
		from = start + size
	}
}

// isBoundary reports whether a word may begin or end at a place of a text.
func isBoundary(s string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:at])
	after, _ := utf8.DecodeRuneInString(s[at:])
	return at == 0 || at == len(s) || !joins(before) || !joins(after)
}

// joins reports whether a rune is a part of words between spaces. Scripts without spaces have none,
// and in Korean a word and its following particles are written without a space.
func joins(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)) && !spaceless(r)
}

func spaceless(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao,
		unicode.Khmer, unicode.Myanmar, unicode.Tibetan)
}

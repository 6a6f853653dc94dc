package whole

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Split divides text into words. Words are separated by white space; each Chinese and Japanese
// character is a word, since nothing marks where longer words end there, with the punctuation that
// belongs to it.
func Split(text string) []string {
	var out []string
	for field := range strings.FieldsSeq(text) {
		from := 0
		for at := 0; at < len(field); {
			r, size := utf8.DecodeRuneInString(field[at:])
			if at > from && begins(r, field[from:at]) {
				out = append(out, field[from:at])
				from = at
			}
			at += size
		}
		out = append(out, field[from:])
	}
	return out
}

// begins reports whether a character begins a word within a stretch without spaces, given the word
// so far. A mark or punctuation belongs to the character before it, and leading punctuation to the
// one after.
func begins(r rune, so string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRightFunc(so, attaches))
	if last == utf8.RuneError || attaches(r) {
		return false
	}
	return ideographic(r) || ideographic(last)
}

func attaches(r rune) bool {
	return unicode.IsPunct(r) || unicode.IsMark(r) || unicode.Is(unicode.Lm, r) || unicode.IsSymbol(r)
}

// ideographic reports whether r is of a script that writes words without spaces and that models
// return by characters.
func ideographic(r rune) bool { return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) }

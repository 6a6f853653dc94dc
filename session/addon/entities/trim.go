package entities

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"steno/messages"
)

const (
	opening = "\"'“‘«‹„¿¡([{"
	closing = "\"'”’»›)]}.,;:!?…。、，；：！？।"
)

// Trim returns the text of an entity without the white space, quotes and punctuation around it, and
// without the ending of "Ann's" where it is of a person, a place or a date. Brackets whose partner
// is in the text stay, unless they are round and all is in them, and so does the full stop of an
// abbreviation. A password loses only what ends a clause: other signs may be part of it. A text of
// signs alone stays, without white space around.
func Trim(kind, text string) string {
	text = strings.TrimSpace(text)
	core := text
	if kind == "PASSWORD" {
		core = strings.TrimRight(text, ".,;:")
	} else {
		core = trimClosing(trimOpening(text))
	}
	if inner, ok := strings.CutPrefix(core, "("); ok && strings.IndexByte(inner, ')') == len(inner)-1 {
		core = trimClosing(trimOpening(inner[:len(inner)-1]))
	}
	if core == "" {
		return text
	}
	return owner(kind, core)
}

// owner is a text without a possessive ending. Firms may have one in their name.
func owner(kind, text string) string {
	base, _, _ := strings.Cut(kind, "_")
	if !oneOf(base, "NAME LOCATION DATE DAY MONTH YEAR DOB") {
		return text
	}
	stem, _ := messages.Possessive(text)
	return stem
}

// trimOpening removes white space and opening signs before a text.
func trimOpening(s string) string {
	for s != "" {
		r, size := utf8.DecodeRuneInString(s)
		at := strings.IndexRune("([{", r)
		if at >= 0 && strings.ContainsRune(s, rune(")]}"[at])) || !strings.ContainsRune(opening, r) &&
			!unicode.IsSpace(r) {
			break
		}
		s = s[size:]
	}
	return s
}

// trimClosing removes white space and closing signs from the end of a text.
func trimClosing(s string) string {
	for s != "" {
		r, size := utf8.DecodeLastRuneInString(s)
		at := strings.IndexRune(")]}", r)
		if at >= 0 && strings.ContainsRune(s, rune("([{"[at])) || !strings.ContainsRune(closing, r) &&
			!unicode.IsSpace(r) {
			break
		}
		if rest := s[:len(s)-size]; r == '.' && shortened(rest) {
			break
		}
		s = s[:len(s)-size]
	}
	return s
}

// shortened reports whether a full stop after a text belongs to its last word. That of a single
// letter ends a sentence.
func shortened(s string) bool {
	last := s[strings.LastIndexFunc(s, unicode.IsSpace)+1:]
	return utf8.RuneCountInString(last) > 1 && abbreviated(last)
}

package transcripts

import (
	"strings"
	"unicode"

	"steno/messages"
)

// folded is the form in which texts are searched: in lower case, with one space in place of
// punctuation and white space, so that "dr weber" finds "Dr. Weber" and "twenty one" "twenty-one".
// Letters are folded by the rules of a language. A text without letters and digits is only folded.
func folded(text, language string) string {
	var out strings.Builder
	gap := false
	for _, r := range messages.Fold(text, language) {
		if !spoken(r) {
			gap = true
			continue
		}
		if gap && out.Len() > 0 {
			out.WriteByte(' ')
		}
		gap = false
		out.WriteRune(r)
	}
	if out.Len() == 0 {
		return messages.Fold(strings.TrimSpace(text), language)
	}
	return out.String()
}

func spoken(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) }

// indexFolded returns the place in a text, in bytes, at which the first part with a folded form
// begins, or a place close to it where letters become several; -1: there is none.
func indexFolded(text, form, language string) int {
	whole := folded(text, language)
	at := strings.Index(whole, form)
	if at < 0 {
		return -1
	}
	ahead := 0 // letters and digits before the place
	for _, r := range whole[:at] {
		if spoken(r) {
			ahead++
		}
	}
	for i, r := range text {
		if !spoken(r) {
			continue
		}
		if ahead == 0 {
			return i
		}
		ahead--
	}
	return -1
}

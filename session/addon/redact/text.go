package redact

import (
	"unicode"

	"steno/messages"
)

// split cuts a text into words that have the white space before them; joined they are the text.
func split(s string) []messages.Word {
	var list []messages.Word
	from, inside := 0, false
	for i, c := range s {
		space := unicode.IsSpace(c)
		if space && inside {
			list = append(list, messages.Word{Word: s[from:i]})
			from = i
		}
		inside = !space
	}
	switch {
	case inside || len(list) == 0 && s != "":
		list = append(list, messages.Word{Word: s[from:]})
	case from < len(s):
		list[len(list)-1].Word += s[from:]
	}
	return list
}

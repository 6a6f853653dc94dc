package redact

import (
	"strings"
	"unicode"

	"steno/messages"
	"steno/session/addon/entities"
)

// Text hides entities in a text that was made elsewhere, of what was said: a summary, an answer of a language model.
// Values found so far in this job are recognised in their spoken and written forms, and new ones are found, as in
// English. White space stays as it is.
func (r *Redactor) Text(s string) string { return r.TextIn(s, "") }

// TextIn is [Redactor.Text] for a text in some language, such as a translation. Number words are known in English only:
// pass "en" where a value may stand in them.
func (r *Redactor) TextIn(s, language string) string {
	words := split(s)
	if len(words) == 0 {
		return s
	}
	found := r.known.learn(words, entities.FindAfter(nil, words, language, r.types), language, len(words))
	hits := merge(len(words), found, r.known.again(words, language, writtenLeast))
	var b strings.Builder
	at := 0
	for _, h := range hits {
		b.WriteString(joined(words[at:h.from]))
		head, sign, tail := r.cover(joined(words[h.from:h.to]), h)
		b.WriteString(head + sign + tail)
		at = h.to
	}
	b.WriteString(joined(words[at:]))
	return b.String()
}

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
	if from < len(s) {
		list = append(list, messages.Word{Word: s[from:]})
	}
	return list
}

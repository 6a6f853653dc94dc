package redact

import (
	"strings"
	"unicode"

	"steno/messages"
	"steno/session/addon/entities"
)

// text hides entities in the text of an utterance whose recognizer gives no words. Values found so far in this job are
// recognised in their spoken and written forms, and new ones are found. White space stays as it is.
func (r *Redactor) text(s, language string) string {
	words := split(s)
	if len(words) == 0 {
		return s
	}
	found := r.known.learn(words, entities.FindAfter(nil, words, language, r.types), language, len(words))
	hits := merge(len(words), found, r.known.again(words, language, writtenLeast))
	var b strings.Builder
	at := 0
	for _, h := range hits {
		b.WriteString(messages.TextOf(words[at:h.from]))
		head, sign, tail := r.cover(messages.TextOf(words[h.from:h.to]), h)
		b.WriteString(head + sign + tail)
		at = h.to
	}
	b.WriteString(messages.TextOf(words[at:]))
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

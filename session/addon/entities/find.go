package entities

import (
	"strings"

	"steno/messages"
)

// Found is one entity in a list of words.
type Found struct {
	// Type is one of [Implemented].
	Type string
	// From and To are the word range [From,To).
	From, To int
	// Text is the words joined, without what is not part of it: see [Trim], and "based" in
	// "London-based".
	Text string
	// Value is the same for the same thing, spoken or written: digits joined, an e-mail address
	// spelt, a date as 1984-03-02, else the words in lower case with their numbers in digits.
	Value string
}

// Find lists the entities of one utterance in order. They do not overlap: the longest wins, then
// the most specific. The language is a code as in an utterance; empty counts as English.
func Find(words []messages.Word, language string) []Found {
	return FindAcross(words, nil, language, nil)
}

// FindAcross is [Find] in the words of utterances one after another, of which all but the first
// begin at the indices begins, ascending: so the answer to "what is your account number" is known
// for what it is, and a number dictated in pieces is one entity. Where the pieces make nothing
// together, some of them in a row may. With types, see [Expand], nothing else is found, nothing
// else wins over them, and doubtful values of these types are found as well: what is hidden
// needlessly does less harm than what is shown; nil: all.
func FindAcross(words []messages.Word, begins []int, language string, types map[string]bool) []Found {
	if len(words) == 0 {
		return nil
	}
	t := newText(words, begins, language)
	t.hiding = types != nil
	var list []Found
	for _, c := range resolve(t, detect(t, types)) {
		list = append(list, c.found(t, words))
	}
	return list
}

// Of lists an utterance's entities with the times of their words.
func Of(u messages.Utterance) []messages.Entity {
	list := []messages.Entity{}
	for _, f := range Find(u.Words, u.Language) {
		list = append(list, messages.Entity{
			EntityType: f.Type,
			Text:       f.Text,
			Start:      u.Words[f.From].Start,
			End:        u.Words[f.To-1].End,
		})
	}
	return list
}

// found converts a candidate to words.
func (c candidate) found(t *text, words []messages.Word) Found {
	from, to := t.words(c)
	f := Found{Type: c.kind, From: from, To: to, Text: Trim(c.kind, c.text(t, messages.TextOf(words[from:to]))),
		Value: c.value}
	if f.Value == "" {
		f.Value = t.normal(c.from, c.to)
		if half := (c.from + c.to) / 2; t.boundary(half) && t.normal(c.from, half) == t.normal(half, c.to) {
			f.Value = t.normal(half, c.to) // the same words twice in a row
		}
	}
	return f
}

// text is the candidate's own part of the text of its words, of which the first and the last may be
// joined to others by hyphens.
func (c candidate) text(t *text, text string) string {
	for i := c.to; t.at(i).joins; i++ {
		text = strings.TrimRightFunc(text[:max(strings.LastIndexFunc(text, isHyphen), 0)], isHyphen)
	}
	for i := c.from; t.at(i).joins; i-- {
		text = strings.TrimLeftFunc(text[max(strings.IndexFunc(text, isHyphen), 0):], isHyphen)
	}
	return text
}

// InRange is the entity that a provider found in the range [from,to) of words.
func InRange(kind string, words []messages.Word, from, to int, language string) Found {
	f := Found{Type: kind, From: from, To: to, Text: Trim(kind, messages.TextOf(words[from:to]))}
	t := newText(words[from:to], nil, language)
	if f.Value = t.normal(0, len(t.tokens)); f.Value == "" {
		f.Value = f.Text
	}
	return f
}

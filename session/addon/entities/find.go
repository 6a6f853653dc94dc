package entities

import "steno/messages"

// Found is one entity in a list of words.
type Found struct {
	// Type is one of [Implemented].
	Type string
	// From and To are the word range [From,To).
	From, To int
	// Text is the words joined, [Bare].
	Text string
	// Value is the same for the same thing, spoken or written: digits joined, an e-mail address spelt, a date as
	// 1984-03-02, else the words in lower case with their numbers in digits.
	Value string
}

// Find lists the entities of one utterance in order. They do not overlap: the longest wins, then the most specific.
// The language is a code as in an utterance; empty counts as English.
func Find(words []messages.Word, language string) []Found {
	return FindAfter(nil, words, language, nil)
}

// FindAfter is [Find] with what was said before, by the same speaker or another, so that the answer to "what is your
// account number" and the rest of a number dictated in pieces are known for what they are. Only the last 40 words of
// before count. The ranges are within words; the Value of an entity begun before is the whole value. With types, see
// [Expand], nothing else is found, and nothing else wins over them; nil: all.
func FindAfter(before, words []messages.Word, language string, types map[string]bool) []Found {
	if len(words) == 0 {
		return nil
	}
	before = before[max(0, len(before)-context):]
	all := make([]messages.Word, 0, len(before)+len(words))
	all = append(append(all, before...), words...)
	t := newText(all, len(before), language)
	var list []Found
	for _, c := range resolve(t, t.candidates(types)) {
		if f, ok := c.found(t, words, len(before)); ok {
			list = append(list, f)
		}
	}
	return list
}

// context is how many words before an utterance are looked at.
const context = 40

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

// found makes a candidate's word range one of words, which begin after so many others.
func (c candidate) found(t *text, words []messages.Word, after int) (Found, bool) {
	from, to := t.words(c)
	from, to = max(from-after, 0), to-after
	if to <= from {
		return Found{}, false
	}
	f := Found{Type: c.kind, From: from, To: to, Text: Bare(c.kind, messages.TextOf(words[from:to])), Value: c.value}
	if f.Value == "" {
		f.Value = t.normal(c.from, c.to)
	}
	return f, true
}

// Told is the entity that words are by themselves, as somebody else found it in the range [from,to) of them.
func Told(kind string, words []messages.Word, from, to int, language string) Found {
	f := Found{Type: kind, From: from, To: to, Text: Bare(kind, messages.TextOf(words[from:to]))}
	t := newText(words[from:to], 0, language)
	if f.Value = t.normal(0, len(t.tokens)); f.Value == "" {
		f.Value = f.Text
	}
	return f
}

// Package redact hides personal data in what was said: in utterances and in the recording.
//
// A Redactor serves one job and is used from one goroutine at a time; it has no lock.
package redact

import (
	"steno/messages"
	"steno/session/addon/entities"
)

// Redactor hides the entities of one job. It remembers their values, so that one value has one marker in all utterances and
// on all channels of the job, and is recognised where it is said again without the words that told what it was.
type Redactor struct {
	types map[string]bool
	mask  bool
	// recent are the last words said on any channel, which may have asked for those that follow; own are those of each
	// channel, which may have begun them; last is the channel that spoke last.
	recent []messages.Word
	own    map[int][]messages.Word
	last   int
	known  values
	spans  spans
}

// recentLimit is how many words are remembered.
const recentLimit = 40

// New makes a Redactor for a job. Without types it hides those of the group GDPR, see [entities.Group]; without a form
// it writes markers. What it does not find itself, see [entities.NeedsModel], it hides where [Redactor.All] is told.
//
// MARKER puts "[EMAIL_ADDRESS_1]" in the place of an entity, numbered by type and value over the job. MASK puts a "#" in
// the place of each letter, digit and symbol and keeps spaces and punctuation; of passwords it keeps only the spaces.
func New(config messages.PIIRedactionConfig) *Redactor {
	return &Redactor{types: Types(config), mask: config.ProcessedTextType == "MASK", known: newValues(), own: map[int][]messages.Word{}}
}

// Types are the types of entities that a configuration hides.
func Types(config messages.PIIRedactionConfig) map[string]bool {
	if len(config.EntityTypes) == 0 {
		return entities.Expand([]string{"GDPR"})
	}
	return entities.Expand(config.EntityTypes)
}

// All hides the entities of a whole job's utterances, in the order in which they were said: so each value is known from
// the beginning, even one dictated over two utterances of a channel. It also hides what somebody else found in the words of
// each utterance, by its index, where it is of a type to be hidden; missing lists are empty. Of each utterance it tells what
// was hidden, by what stands in its place now.
//
// The words of an entity become one word with the marker or mask, their times, the lowest of their confidences, the white
// space and punctuation around; the text is made of the words again. The utterances' own times and confidence stay. The
// arguments are not changed.
func (r *Redactor) All(us []messages.Utterance, told [][]entities.Found) (list []messages.Utterance, hidden [][]messages.Entity) {
	next := following(us)
	more := make([][]hit, len(us))
	for i, u := range us {
		r.find(u, next[i])
		if i < len(told) {
			more[i] = r.known.learn(u.Words, r.wanted(told[i], len(u.Words)), u.Language, len(u.Words))
		}
	}
	r.recent, r.own = nil, map[int][]messages.Word{}
	list, hidden = make([]messages.Utterance, len(us)), make([][]messages.Entity, len(us))
	for i, u := range us {
		list[i], hidden[i] = r.apply(u, next[i], more[i])
	}
	return list, hidden
}

// Hides tells whether something of a type is to be hidden, or something of a type within it, as NAME_GIVEN is within NAME.
func (r *Redactor) Hides(kind string) bool {
	for name := range entities.Expand([]string{kind}) {
		if r.types[name] {
			return true
		}
	}
	return false
}

// wanted are those of a type to be hidden that are in so many words.
func (r *Redactor) wanted(told []entities.Found, n int) []entities.Found {
	var list []entities.Found
	for _, f := range told {
		if r.types[f.Type] && 0 <= f.From && f.From < f.To && f.To <= n {
			list = append(list, f)
		}
	}
	return list
}

// following gives for each utterance the words of the next one on its channel.
func following(us []messages.Utterance) [][]messages.Word {
	list, last := make([][]messages.Word, len(us)), map[int][]messages.Word{}
	for i := len(us) - 1; i >= 0; i-- {
		list[i] = last[us[i].Channel]
		last[us[i].Channel] = us[i].Words
	}
	return list
}

// apply hides what is found, what is known and what somebody else found, and tells what it hid.
func (r *Redactor) apply(u messages.Utterance, next []messages.Word, more []hit) (messages.Utterance, []messages.Entity) {
	if len(u.Words) == 0 {
		u.Text = r.text(u.Text, u.Language)
		return u, nil
	}
	n := len(u.Words)
	hits := merge(n, merge(n, r.find(u, next), more), r.known.again(u.Words, u.Language, spokenLeast))
	if len(hits) == 0 {
		return u, nil
	}
	for _, h := range hits {
		r.spans.add(Span{u.Channel, u.Words[h.from].Start, u.Words[h.to-1].End})
	}
	words, hidden := r.replace(u.Words, hits)
	u.Words = words
	u.Text = messages.TextOf(u.Words)
	return u, hidden
}

// find learns and gives the entities of an utterance, of which the next on its channel may hold the rest.
func (r *Redactor) find(u messages.Utterance, next []messages.Word) []hit {
	n := len(u.Words)
	words := append(append(make([]messages.Word, 0, n+len(next)), u.Words...), next[:min(len(next), recentLimit)]...)
	learn := func(before []messages.Word) []hit {
		return r.known.learn(words, entities.FindAfter(before, words, u.Language, r.types), u.Language, n)
	}
	list := learn(r.recent)
	if r.last != u.Channel && len(r.own[u.Channel]) > 0 {
		list = merge(n, list, learn(r.own[u.Channel]))
	}
	r.recent, r.own[u.Channel], r.last = tail(r.recent, u.Words), tail(r.own[u.Channel], u.Words), u.Channel
	return list
}

// tail is the end of what was said, in a slice of its own.
func tail(before, words []messages.Word) []messages.Word {
	all := append(append(make([]messages.Word, 0, len(before)+len(words)), before...), words...)
	return append([]messages.Word(nil), all[max(0, len(all)-recentLimit):]...)
}

// replace makes one word of each hit, and tells it.
func (r *Redactor) replace(words []messages.Word, hits []hit) (list messages.List[messages.Word], hidden []messages.Entity) {
	list = make(messages.List[messages.Word], 0, len(words))
	at := 0
	for _, h := range hits {
		list = append(list, words[at:h.from]...)
		w := words[h.from]
		w.End = words[h.to-1].End
		for _, v := range words[h.from+1 : h.to] {
			w.Confidence = min(w.Confidence, v.Confidence)
		}
		head, sign, tail := r.cover(messages.TextOf(words[h.from:h.to]), h)
		w.Word = head + sign + tail
		list = append(list, w)
		hidden = append(hidden, messages.Entity{EntityType: h.kind, Text: sign, Start: w.Start, End: w.End})
		at = h.to
	}
	return append(list, words[at:]...), hidden
}

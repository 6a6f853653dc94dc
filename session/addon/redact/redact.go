// Package redact hides personal data in what was said: in utterances, in texts made of them, and in the recording.
//
// A Redactor serves one job and is used from one goroutine at a time; it has no lock.
package redact

import (
	"steno/messages"
	"steno/session/addon/entities"
)

// Redactor hides the entities of one job. It remembers their values, so that one value has one marker in all
// utterances, on all channels and in all texts of the job, and is recognised where it is said again without the words
// that told what it was.
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
// it writes markers. Types that need a model hide nothing here.
//
// MARKER puts "[EMAIL_ADDRESS_1]" in the place of an entity, numbered by type and value over the job. MASK puts a "#" in
// the place of each letter, digit and symbol and keeps spaces and punctuation; of passwords it keeps only the spaces.
func New(config messages.PIIRedactionConfig) *Redactor {
	types := []string(config.EntityTypes)
	if len(types) == 0 {
		types = []string{"GDPR"}
	}
	return &Redactor{types: entities.Expand(types), mask: config.ProcessedTextType == "MASK", known: newValues(), own: map[int][]messages.Word{}}
}

// Apply hides the entities of an utterance. The words of an entity become one word with the marker or mask, their
// times, the lowest of their confidences, the white space and punctuation around; the text is made of the words again.
// The utterance's own times and confidence stay. The argument is not changed.
//
// It is called for utterances in the order in which they were said. The first part of a value dictated over several
// utterances is hidden only by [Redactor.All].
func (r *Redactor) Apply(u messages.Utterance) messages.Utterance { return r.apply(u, nil) }

// All hides the entities of a whole job's utterances, in the order in which they were said. Better than [Redactor.Apply]
// it knows each value from the beginning, and values dictated over two utterances of a channel.
func (r *Redactor) All(us []messages.Utterance) []messages.Utterance {
	next := following(us)
	for i, u := range us {
		r.find(u, next[i])
	}
	r.recent, r.own = nil, map[int][]messages.Word{}
	list := make([]messages.Utterance, len(us))
	for i, u := range us {
		list[i] = r.apply(u, next[i])
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

func (r *Redactor) apply(u messages.Utterance, next []messages.Word) messages.Utterance {
	if len(u.Words) == 0 {
		u.Text = r.TextIn(u.Text, u.Language)
		return u
	}
	hits := merge(len(u.Words), r.find(u, next), r.known.again(u.Words, u.Language, spokenLeast))
	if len(hits) == 0 {
		return u
	}
	for _, h := range hits {
		r.spans.add(Span{u.Channel, u.Words[h.from].Start, u.Words[h.to-1].End})
	}
	u.Words = r.replace(u.Words, hits)
	u.Text = joined(u.Words)
	return u
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

// replace makes one word of each hit.
func (r *Redactor) replace(words []messages.Word, hits []hit) messages.List[messages.Word] {
	list := make(messages.List[messages.Word], 0, len(words))
	at := 0
	for _, h := range hits {
		list = append(list, words[at:h.from]...)
		list = append(list, r.one(words[h.from:h.to], h))
		at = h.to
	}
	return append(list, words[at:]...)
}

// one is the word in the place of those of an entity.
func (r *Redactor) one(words []messages.Word, h hit) messages.Word {
	w := messages.Word{Word: r.cover(joined(words), h), Start: words[0].Start, End: words[len(words)-1].End, Confidence: words[0].Confidence}
	for _, v := range words[1:] {
		w.Confidence = min(w.Confidence, v.Confidence)
	}
	return w
}

func joined(words []messages.Word) string {
	n := 0
	for _, w := range words {
		n += len(w.Word)
	}
	b := make([]byte, 0, n)
	for _, w := range words {
		b = append(b, w.Word...)
	}
	return string(b)
}

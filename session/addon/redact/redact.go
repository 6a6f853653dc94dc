// Package redact hides personal data in utterances and in the recording.
//
// A [Redactor] serves one recorded job and is used from one goroutine at a time; it has no lock. A
// [Live] serves one live session, whose goroutines share it.
package redact

import (
	"strings"

	"steno/messages"
	"steno/session/addon/entities"
	"steno/session/addon/sentences"
)

// Redactor hides the entities of one job. It remembers their values, so that one value has one
// marker in all utterances and on all channels of the job, and is found again where it occurs
// without the words that announced it.
type Redactor struct {
	types map[string]bool
	mask  bool
	known values
	spans spans
}

// New makes a Redactor for a job. Without types it hides those of the group GDPR, see
// [entities.Group]; without a form it writes markers. What it does not find itself, see
// [entities.NeedsModel], it hides where a provider found it, see [Redactor.All].
//
// MARKER puts "[EMAIL_ADDRESS_1]" in the place of an entity, numbered by type and value over the
// job. MASK puts the same signs in the place of each, so that neither its length nor the number of
// its words is seen.
func New(config messages.PIIRedactionConfig) *Redactor {
	return &Redactor{types: Types(config), mask: config.ProcessedTextType == "MASK", known: newValues()}
}

// Types are the types of entities that a configuration hides.
func Types(config messages.PIIRedactionConfig) map[string]bool {
	return entities.Expand(orDefault(config.EntityTypes))
}

// All hides the entities of a whole job's utterances, in the order in which they were said: so each
// value is known from the beginning, even one dictated over several utterances of a channel, which
// has one marker in all of them. It also hides what a provider found in the words of each
// utterance, by its index, where it is of a type to be hidden; missing lists are empty. For each
// utterance it returns what was hidden, with the text that stands in its place.
//
// The words of an entity become one word with the marker or mask, their times, the lowest of their
// known confidences, the white space and punctuation around; the text is made of the words again.
// The utterances' own times and confidence stay. Of an utterance without words the text is changed.
// The arguments are not.
func (r *Redactor) All(us []messages.Utterance, told [][]entities.Found) (list []messages.Utterance,
	hidden [][]messages.Entity) {
	k := newConversation(us)
	hits, again := make([][]hit, len(us)), map[*turn][]hit{}
	for i, t := range k.turns {
		hits[i] = r.find(k, t)
		if i < len(told) {
			more := hitsOf(view{words: t.words}, t, r.wanted(told[i], len(t.Words)))
			hits[i] = merge(len(t.words), hits[i], r.known.learn(more))
		}
		again[t] = hits[i]
	}
	k.echoes(again)
	for _, row := range k.voices {
		r.known.again(row, again)
	}
	list, hidden = make([]messages.Utterance, len(us)), make([][]messages.Entity, len(us))
	for i, t := range k.turns {
		list[i], hidden[i] = r.apply(t, merge(len(t.words), hits[i], again[t][len(hits[i]):]))
	}
	return list, hidden
}

// Hides reports whether something of a type is to be hidden, or something of a type within it, as
// NAME_GIVEN is within NAME.
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

// find returns the entities in a turn, or the pieces of them, and remembers their values.
func (r *Redactor) find(k *conversation, t *turn) []hit {
	if isBackchannel(t.words) {
		return nil
	}
	var all []hit
	for _, v := range k.views(t) {
		all = append(all, hitsOf(v, t, entities.FindAcross(v.words, v.begins, t.Language, r.types))...)
	}
	hits := r.known.learn(merge(len(t.words), all))
	r.known.also(all, hits)
	return hits
}

// apply puts markers or masks in the place of hits, and returns these as entities.
func (r *Redactor) apply(t *turn, hits []hit) (messages.Utterance, []messages.Entity) {
	u := t.Utterance
	if len(hits) == 0 {
		return u, nil
	}
	words, hidden := r.replace(t.words, hits, u.Language)
	u.Text = messages.TextOf(words)
	if len(t.Words) == 0 {
		r.spans.add(Span{Channel: u.Channel, Start: u.Start, End: u.End})
		return u, nil
	}
	u.Words = words
	for _, h := range hits {
		r.spans.add(Span{Channel: u.Channel, Start: t.words[h.from].Start, End: t.spoken(h.to - 1)})
	}
	return u, hidden
}

// spoken is when a word has certainly been spoken, at the latest. A word without a time of its own,
// which fusion may put at the end of the word before, was spoken at some moment until the next word
// that has one.
func (t *turn) spoken(i int) float64 {
	if w := t.words[i]; w.End > w.Start {
		return w.End
	}
	for _, next := range t.words[i+1:] {
		if next.End > next.Start {
			return max(next.Start, t.words[i].End)
		}
	}
	return max(t.End, t.words[i].End)
}

// replace makes one word of each hit, and an entity.
func (r *Redactor) replace(words []messages.Word, hits []hit, language string) (list messages.List[messages.Word],
	hidden []messages.Entity) {
	list = make(messages.List[messages.Word], 0, len(words))
	at, ends := 0, sentences.Ends(words, language)
	for _, h := range hits {
		list = append(list, words[at:h.from]...)
		w := words[h.from]
		w.End = words[h.to-1].End
		for _, v := range words[h.from+1 : h.to] {
			if v.Confidence > 0 && (w.Confidence == 0 || v.Confidence < w.Confidence) {
				w.Confidence = v.Confidence
			}
		}
		head, sign, tail := r.cover(messages.TextOf(words[h.from:h.to]), h)
		if !r.mask && !ends[h.to-1] && sentences.Abbreviated(language, words[h.to-1].Word) {
			tail = strings.TrimPrefix(tail, ".") // it belongs to the abbreviation
		}
		w.Word = head + sign + tail
		list = append(list, w)
		hidden = append(hidden, messages.Entity{EntityType: h.kind, Text: sign, Start: w.Start, End: w.End})
		at = h.to
	}
	return append(list, words[at:]...), hidden
}

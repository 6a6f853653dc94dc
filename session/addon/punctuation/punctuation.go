// Package punctuation adds punctuation marks and capitals to text that has none.
//
// Where an engine has a punctuation model, the model decides. Without one, or where its answer does
// not fit the words, pauses decide, relative to the speaker's other pauses, together with a few
// rules. Functions are pure and safe for concurrent use.
package punctuation

import "steno/messages"

// Enhance is a copy of utterances, in the order given, whose words have marks and capitals. Beyond
// these no word changes, no time does, and each utterance's text is its words joined. What has
// marks already is left as it is, but for the capital of an English word like "and" at the
// beginning of an utterance that goes straight on from one without a mark; so are utterances
// without words. To enhance what was enhanced changes nothing more.
//
// model, which may be nil, is asked once for each utterance without marks; false means that it has
// no answer. Of its answer marks and capitals are taken over, but for a full stop at the end of an
// utterance that goes straight on in the next.
//
// Without a model: a sentence ends where an utterance does, unless it goes straight on in the next,
// and at long pauses. English also gets commas at lesser pauses, question marks where a sentence
// begins like a question, and "I". Text all in capitals is made small first; letters that stand
// alone stay capitals. Other languages get their full stop and initial capitals. Those that write
// no full stops get none.
func Enhance(us []messages.Utterance, model func(text, language string) (string, bool)) []messages.Utterance {
	out := copied(us)
	for _, t := range speakerTexts(out) {
		t.enhance(model)
	}
	for i := range out {
		if len(out[i].Words) > 0 {
			out[i].Text = messages.TextOf(out[i].Words)
		}
	}
	return out
}

// copied utterances share no words with the given ones.
func copied(us []messages.Utterance) []messages.Utterance {
	out := make([]messages.Utterance, len(us))
	for i, u := range us {
		u.Words = append(messages.List[messages.Word](nil), u.Words...)
		out[i] = u
	}
	return out
}

// enhance a speaker's utterances in place.
func (t speakerText) enhance(model func(text, language string) (string, bool)) {
	begins := true // a sentence
	for i, u := range t.utterances {
		if len(u.Words) == 0 {
			continue
		}
		if !begins {
			small(u.Words, u.Language)
		}
		if !marked(u.Words, u.Language) {
			t.utterance(i, begins, model)
		}
		begins = ends(u.Words, u.Language) || !t.goesOn(i)
	}
}

// utterance i is given marks and capitals. begins reports whether a sentence begins with it.
func (t speakerText) utterance(i int, begins bool, model func(text, language string) (string, bool)) {
	u := t.utterances[i]
	if t.shouted {
		lowered(u.Words, u.Language)
	}
	var ended []bool
	if model == nil || !take(model, u, begins, t.goesOn(i)) {
		ended = t.mark(i, begins)
	}
	capitals(u.Words, u.Language, begins, ended)
}

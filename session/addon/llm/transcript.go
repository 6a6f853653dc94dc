package llm

import (
	"strings"

	"steno/messages"
	"steno/session/addon/sentences"
)

// TalkOf is the transcript of utterances, sentence by sentence, as the model gets it, beside these sentences.
func TalkOf(us []messages.Utterance) (Talk, []sentences.Sentence) {
	all := sentences.Split(us)
	t := Talk{Sentences: make([]Sentence, len(all))}
	for i, s := range all {
		t.Sentences[i] = Sentence{Text: s.Text, Speaker: s.Speaker}
		if t.Language == "" {
			t.Language = s.Language
		}
	}
	return t, all
}

// TalkOfOne is the transcript of one utterance as the model gets it: its whole text, trimmed.
func TalkOfOne(u messages.Utterance) Talk {
	return Talk{Language: u.Language, Sentences: []Sentence{{Text: strings.TrimSpace(u.Text)}}}
}

package llm

import (
	"strings"

	"steno/messages"
	"steno/session/addon/sentences"
)

// TranscriptOf is the transcript of utterances, sentence by sentence, as the model gets it, beside
// these sentences.
func TranscriptOf(us []messages.Utterance) (Transcript, []sentences.Sentence) {
	all := sentences.Split(us)
	t := Transcript{Sentences: make([]Sentence, len(all))}
	for i, s := range all {
		t.Sentences[i] = Sentence{Text: s.Text, Speaker: s.Speaker}
		if t.Language == "" {
			t.Language = s.Language
		}
	}
	return t, all
}

// TranscriptOfOne is the transcript of one utterance as the model gets it: its whole text, trimmed.
func TranscriptOfOne(u messages.Utterance) Transcript {
	return Transcript{Language: u.Language, Sentences: []Sentence{{Text: strings.TrimSpace(u.Text)}}}
}

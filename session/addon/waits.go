package addon

import (
	"slices"

	"steno/messages"
)

// Waits tells whether something that a recorded file's request wants done is done by somebody else in these ways, who may
// let it wait: a language model, or a translator.
func (w Ways) Waits(q *messages.PreRecordedRequest) bool {
	asks := func(name string) bool { return slices.Contains(w.modelled, name) }
	return q.Translation || q.AudioToLLM || q.StructuredDataExtraction || q.NameConsistency ||
		q.Summarization && asks("summarization") || q.Chapterization && asks(chapter) || q.SentimentAnalysis && asks(sentiments) ||
		q.NamedEntityRecognition && asks(entity) || q.PIIRedaction && w.Confide != nil
}

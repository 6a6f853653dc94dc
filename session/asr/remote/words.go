package remote

import (
	"strings"

	"steno/session/asr"
	"steno/session/asr/align/estimate"
)

// MaxWords bounds the words of an answer: ten times the fastest speech in the longest utterance.
const MaxWords = 4096

// Words returns the words of a text that was said in samples, with estimated times. It fails for
// more than MaxWords.
func Words(text string, samples []int16) ([]asr.Word, error) {
	fields := strings.Fields(text)
	if len(fields) > MaxWords {
		return nil, &Failure{Text: "the answer has too many words", Own: true}
	}
	words := make([]asr.Word, len(fields))
	for i, field := range fields {
		words[i].Text = field
	}
	Place(words, samples, 0, len(samples))
	return words, nil
}

// Place sets the times of words by proportion, none across a pause, within a range of the samples.
func Place(words []asr.Word, samples []int16, from, to int) {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.Text
	}
	for i, span := range estimate.Spans(samples[from:to], texts) {
		words[i].Start, words[i].End = from+span.Start, from+span.End
	}
}

package openai

import (
	"steno/session/asr"
	"steno/session/asr/clean"
	"steno/session/asr/remote"
)

// QueueForTest returns how many wait for a slot and how many slots are free.
func (r *Recognizer) QueueForTest() (waiting int, free int64) {
	return r.server.Slots.Counts()
}

// WordsForTest reads an answer as if it came for so many samples, which are loud all the time. It
// returns what was dropped.
func WordsForTest(body []byte, contentType string, samples int) ([]asr.Word, map[string]int, error) {
	loud := make([]int16, samples)
	for i := range loud {
		loud[i] = int16(3000 * (1 - i%2*2))
	}
	return WordsOfForTest(body, contentType, loud)
}

// WordsOfForTest reads an answer as if it came for the samples. It returns what was dropped.
func WordsOfForTest(body []byte, contentType string, samples []int16) ([]asr.Word, map[string]int, error) {
	a, err := parse(body, contentType, forms[0])
	if err != nil {
		return nil, nil, err
	}
	dropped := clean.Drops{}
	words, err := a.words(samples, dropped)
	return words, dropped, err
}

// CodeForTest returns the code for what a server calls a language.
func CodeForTest(said string) string { return remote.CodeOf(said) }

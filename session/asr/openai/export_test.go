package openai

import "steno/session/asr"

// QueueForTest returns how many wait for a slot and how many slots are free.
func (r *Recognizer) QueueForTest() (waiting, free int) {
	return r.slots.Counts()
}

// WordsForTest reads an answer as if it came for so many samples.
func WordsForTest(body []byte, contentType string, samples int) ([]asr.Word, bool, error) {
	a, err := parse(body, contentType)
	if err != nil {
		return nil, false, err
	}
	return a.words(samples)
}

// CodeForTest returns the code for what a server calls a language.
func CodeForTest(said string) string { return codeOf(said) }

// Package wire is the encoding that client and server of recognition share beyond the Riva interface's messages:
// utterance parameters, audio, results and errors, and the metadata of steno's own, which stock servers and clients
// ignore.
//
// All data read here came over a network: sizes are bounded, and what is out of range is refused or clamped.
package wire

const (
	// PriorityKey is the request metadata with the priority: "live" or "replay". Missing means live.
	PriorityKey = "steno-priority"
	// EngineKey is the response header by which an engine program accepts a call and names what decodes it. A stock
	// Riva server sends none, and sends its headers only with the first result.
	EngineKey = "steno-engine"

	// MaxPhrases bounds a vocabulary.
	MaxPhrases = 10000
	// MaxPhraseBytes bounds each of its phrases and pronunciations.
	MaxPhraseBytes = 512
	// MaxPronunciations bounds the spellings given for one phrase.
	MaxPronunciations = 32
	// MaxLanguages bounds the languages an utterance may be in; the API lists 99.
	MaxLanguages = 128
	// MaxText bounds the text given for punctuation, in bytes.
	MaxText = 64 << 10
	// MaxWords bounds the words taken from one call: ten times the fastest speech in the longest utterance.
	MaxWords = 4096
)

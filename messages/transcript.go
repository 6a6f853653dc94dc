package messages

import "strings"

// Word is one spoken word. Its text has its leading space, so that the words of an utterance joined are its text.
type Word struct {
	Word string `json:"word"`
	// Start and End are seconds from the session's start.
	Start float64 `json:"start"`
	End   float64 `json:"end"`
	// Confidence lies in [0,1]; 0: not known.
	Confidence float64 `json:"confidence"`
}

// Utterance is what one channel said without a longer pause.
type Utterance struct {
	// Start is that of the first word, End that of the last, in seconds from the session's start.
	Start float64 `json:"start"`
	End   float64 `json:"end"`
	// Confidence lies in [0,1]; 0: not known.
	Confidence float64    `json:"confidence"`
	Channel    int        `json:"channel"`
	Words      List[Word] `json:"words"`
	// Text is the words joined: it begins with a space.
	Text     string `json:"text"`
	Language string `json:"language"`
	// Speaker counts from 0; nil where speakers are not told apart.
	Speaker *int `json:"speaker,omitempty"`
	// Engine names what recognized this in place of the engine that should have: that one was away. Else empty.
	Engine string `json:"engine,omitempty"`
}

// TimedWords are the utterance's words; those of its text, evenly spread over its time, where it has none. The slice may be
// the utterance's own.
func (u Utterance) TimedWords() []Word {
	if len(u.Words) > 0 {
		return u.Words
	}
	texts := strings.Fields(u.Text)
	words := make([]Word, len(texts))
	at := func(i int) float64 { return u.Start + (u.End-u.Start)*float64(i)/float64(len(texts)) }
	for i, text := range texts {
		words[i] = Word{Word: " " + text, Start: at(i), End: at(i + 1), Confidence: u.Confidence}
	}
	return words
}

// Transcription is the whole text of a job.
type Transcription struct {
	// FullTranscript is trimmed of white space.
	FullTranscript string `json:"full_transcript"`
	// Languages are ordered from most to least heard.
	Languages  List[string]    `json:"languages"`
	Utterances List[Utterance] `json:"utterances"`
	// Sentences and Subtitles are there where they were asked for.
	Sentences []AddonResult[List[string]] `json:"sentences,omitempty"`
	Subtitles []Subtitle                  `json:"subtitles,omitempty"`
}

// Subtitle is a whole subtitle file.
type Subtitle struct {
	Format    string `json:"format"` // srt or vtt
	Subtitles string `json:"subtitles"`
}

package openai

import (
	"encoding/json"
	"math"
	"mime"
	"strings"
	"unicode/utf8"
)

// answer is a server's answer, of which any part may be missing. Times are in seconds.
type answer struct {
	Language string
	Text     *string
	Segments []segment
	Words    []spoken
}

// segment is a stretch of speech as Whisper divides it.
type segment struct {
	Start, End   float64
	Text         string
	AvgLogprob   *float64 `json:"avg_logprob"`
	NoSpeechProb *float64 `json:"no_speech_prob"`
	Words        []spoken // some servers have them here
}

// spoken is a word, or a part of one.
type spoken struct {
	Word        string
	Start, End  float64
	Probability *float64 // OpenAI has none
}

// parse decodes an answer: JSON, or plain text from servers that know nothing else. Errors hold nothing of it.
func parse(b []byte, contentType string) (*answer, error) {
	kind, _, _ := mime.ParseMediaType(contentType)
	if text := strings.TrimSpace(string(b)); kind == "text/plain" && !strings.HasPrefix(text, "{") && utf8.ValidString(text) {
		return &answer{Text: &text}, nil
	}
	var a answer
	if err := json.Unmarshal(b, &a); err != nil {
		return nil, &failure{text: "the answer is no transcription", again: true}
	}
	if a.Text == nil && a.Segments == nil && a.Words == nil {
		return nil, &failure{text: "the answer has no text", again: true}
	}
	parts := len(a.Words)
	for _, s := range a.Segments {
		parts += len(s.Words)
	}
	if len(a.Segments) > maxWords || parts > 4*maxWords {
		return nil, &failure{text: "the answer has too many words", own: true}
	}
	return &a, nil
}

// silent reports whether a segment is made up: the model judges it not to be speech and does not trust its words.
// Whisper itself drops segments beyond 0.6 and below -1, but not all servers do; what is dropped here is beyond doubt.
func (s *segment) silent() bool {
	return s.NoSpeechProb != nil && s.AvgLogprob != nil && *s.NoSpeechProb > 0.9 && *s.AvgLogprob < -1
}

// confidence returns the mean probability of the segment's tokens, 0 if unknown. Servers without it send 0 for its
// logarithm.
func (s *segment) confidence() float64 {
	if s.AvgLogprob == nil || *s.AvgLogprob == 0 {
		return 0
	}
	return clamped(math.Exp(*s.AvgLogprob))
}

// clamped returns a probability rounded to four digits.
func clamped(p float64) float64 { return math.Round(min(max(p, 0), 1)*1e4) / 1e4 }

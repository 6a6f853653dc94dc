package openai

import (
	"bytes"
	"encoding/json"
	"math"
	"mime"
	"strconv"
	"strings"
	"unicode/utf8"

	"steno/session/asr/remote"
)

// answer is a server's answer, of which any part may be missing. Times are in seconds.
type answer struct {
	Language string
	Text     *string
	Segments []segment
	Words    []spoken
	Error    json.RawMessage // some servers report failures with status 200
}

// segment is a stretch of speech as Whisper divides it.
type segment struct {
	Start, End   number
	Text         string
	AvgLogprob   *number  `json:"avg_logprob"`
	NoSpeechProb *number  `json:"no_speech_prob"`
	Words        []spoken // some servers have them here
}

// spoken is a word, or a part of one.
type spoken struct {
	Word        string
	Start, End  number
	Probability *number // OpenAI has none

	of *segment // what it was found in; nil: unknown
}

// number is a number that some servers write as a string. What is no number is 0, as a missing one
// is.
type number float64

// UnmarshalJSON implements [json.Unmarshaler].
func (n *number) UnmarshalJSON(b []byte) error {
	text := strings.Trim(string(b), `" `)
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		f = 0
	}
	*n = number(f)
	return nil
}

// parse decodes an answer: JSON, or plain text from servers that know nothing else. Errors hold
// nothing of it.
func parse(b []byte, contentType string, f form) (*answer, error) {
	kind, _, _ := mime.ParseMediaType(contentType)
	// what some frameworks call a string
	asText := kind == "text/plain" || f.format == "text" && (kind == "text/html" || kind == "")
	if text, ok := plainText(b, asText); ok {
		return &answer{Text: &text}, nil
	}
	var a answer
	b = withoutNonNumbers(b)
	if json.Unmarshal(b, &a) != nil && !a.justText(b) {
		return nil, &remote.Failure{Text: "the answer is no transcription", Again: true, Own: true}
	}
	if len(a.Error) > 0 && string(a.Error) != "null" {
		return nil, &remote.Failure{Text: "the answer is an error", Again: true, Own: true}
	}
	if a.Text == nil && a.Segments == nil && a.Words == nil {
		return nil, &remote.Failure{Text: "the answer has no text", Again: true, Own: true}
	}
	parts := len(a.Words)
	for _, s := range a.Segments {
		parts += len(s.Words)
	}
	if len(a.Segments) > remote.MaxWords || parts > 4*remote.MaxWords {
		return nil, &remote.Failure{Text: "the answer has too many words", Own: true}
	}
	return &a, nil
}

// justText reads of an answer nothing but its text and language, and reports whether it has these:
// its details make no sense.
func (a *answer) justText(b []byte) bool {
	var only struct {
		Text, Language *string
		Error          json.RawMessage
	}
	*a = answer{}
	if json.Unmarshal(b, &only) != nil || only.Text == nil || len(only.Error) > 0 && string(only.Error) != "null" {
		return false
	}
	if a.Text = only.Text; only.Language != nil {
		a.Language = *only.Language
	}
	return true
}

// plainText returns the text of an answer that is nothing else, bare where it is said to be text,
// or as a JSON string. A page of HTML is no such answer, nor is a list in JSON, nor an empty body,
// unless it is a text that has nothing but the end of a line.
func plainText(b []byte, asText bool) (text string, ok bool) {
	trimmed := bytes.TrimSpace(b)
	if len(trimmed) > 0 && trimmed[0] == '"' && json.Unmarshal(trimmed, &text) == nil {
		return text, true
	}
	list := bytes.HasPrefix(trimmed, []byte("[")) && json.Valid(trimmed)
	return string(trimmed), asText && len(b) > 0 && utf8.Valid(b) && !bytes.HasPrefix(trimmed, []byte("{")) &&
		!bytes.HasPrefix(trimmed, []byte("<")) && !list
}

// withoutNonNumbers replaces NaN and the infinities by null. They are no JSON, but servers written
// in Python send them.
func withoutNonNumbers(b []byte) []byte {
	if !bytes.Contains(b, []byte("NaN")) && !bytes.Contains(b, []byte("Infinity")) {
		return b
	}
	out := make([]byte, 0, len(b))
	quoted := false
	for i := 0; i < len(b); i++ {
		switch {
		case quoted && b[i] == '\\' && i+1 < len(b):
			out = append(out, b[i])
			i++
		case b[i] == '"':
			quoted = !quoted
		case !quoted:
			if n := nonNumber(b[i:]); n > 0 {
				out = append(out, "null"...)
				i += n - 1
				continue
			}
		}
		out = append(out, b[i])
	}
	return out
}

// nonNumber returns the length of the NaN or infinity that b begins with, 0 if there is none.
func nonNumber(b []byte) int {
	for _, name := range []string{"NaN", "Infinity", "-Infinity"} {
		if bytes.HasPrefix(b, []byte(name)) {
			return len(name)
		}
	}
	return 0
}

// silent reports whether a segment is made up: the model judges it not to be speech and does not
// trust its words. Whisper itself drops segments beyond 0.6 and below -1, but not all servers do;
// what is dropped here is beyond doubt.
func (s *segment) silent() bool {
	return s.NoSpeechProb != nil && s.AvgLogprob != nil && *s.NoSpeechProb > 0.9 && *s.AvgLogprob < -1
}

// confidence returns the mean probability of the segment's tokens, 0 if unknown. Servers without it
// send 0 for its logarithm.
func (s *segment) confidence() float64 {
	if s.AvgLogprob == nil || *s.AvgLogprob == 0 {
		return 0
	}
	return clamped(math.Exp(float64(*s.AvgLogprob)))
}

// clamped returns a probability rounded to four digits.
func clamped(p float64) float64 { return math.Round(min(max(p, 0), 1)*1e4) / 1e4 }

// text returns the whole text of an answer, empty if it has none.
func (a *answer) text() string {
	if a.Text == nil {
		return ""
	}
	return *a.Text
}

// likelihood returns the mean logarithm of the probability of the answer's text, and whether the
// server states it.
func (a *answer) likelihood() (mean float64, known bool) {
	var letters int
	for i := range a.Segments {
		s := &a.Segments[i]
		if s.confidence() == 0 {
			continue
		}
		n := len(strings.TrimSpace(s.Text))
		mean += float64(*s.AvgLogprob) * float64(n)
		letters += n
	}
	if letters == 0 {
		return 0, false
	}
	return mean / float64(letters), true
}

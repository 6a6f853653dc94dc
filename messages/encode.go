package messages

import (
	"math"
	"strconv"
	"unicode/utf8"
)

// The types that clients send and that acks answer with.
const (
	typeAudioChunk    = "audio_chunk"
	typeStopRecording = "stop_recording"
)

// Append appends the exact JSON of one message to b and returns the longer slice. Acks, partials
// and finals cost no allocation beyond the growth of b. A number that JSON cannot express is
// written as 0, or makes the data of an add-on's or closing message null.
//
// No message about a whole session is longer than 1 MiB: what is left out is replaced by an empty
// list or text, and the wrappers of add-ons still report success or failure. Words go first,
// everywhere; then, until it fits:
//
//   - of post_transcript, the utterances, then the full transcript;
//   - of post_chapterization, the sentences, then the texts, then the chapters;
//   - of post_final_transcript, the utterances of translations and sentences and texts of chapters;
//     entities and sentiments; the utterances; the results of add-ons; the full transcript;
//   - of post_summarization, the summary.
func Append(b []byte, e Envelope, m Message) []byte {
	b = append(b, `{"session_id":`...)
	b = AppendString(b, e.SessionID)
	b = append(b, `,"created_at":`...)
	b = Timestamp{e.CreatedAt}.appendJSON(b)
	return m.appendTo(b)
}

// AppendFloat appends the shortest form of f in JSON that reads back the same; 0 where f is none of
// JSON's numbers.
func AppendFloat(b []byte, f float64) []byte {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		f = 0
	}
	if abs := math.Abs(f); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		return strconv.AppendFloat(b, f, 'g', -1, 64)
	}
	return strconv.AppendFloat(b, f, 'f', -1, 64)
}

func appendField(b []byte, name string, f float64) []byte {
	b = append(b, '"')
	b = append(b, name...)
	b = append(b, `":`...)
	return AppendFloat(b, f)
}

const hexDigits = "0123456789abcdef"

// AppendString appends s as a JSON string, bytes that are not UTF-8 as U+FFFD.
func AppendString(b []byte, s string) []byte {
	b = append(b, '"')
	done := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		size := 1
		if c >= utf8.RuneSelf {
			var r rune
			r, size = utf8.DecodeRuneInString(s[i:])
			if plain := r != utf8.RuneError || size > 1; plain && r != '\u2028' && r != '\u2029' {
				i += size
				continue
			}
		}
		b = append(b, s[done:i]...)
		b = appendEscape(b, s[i:i+size])
		i += size
		done = i
	}
	b = append(b, s[done:]...)
	return append(b, '"')
}

// appendEscape writes the escape of one character that may not stand as it is.
func appendEscape(b []byte, char string) []byte {
	switch char {
	case `"`, `\`:
		return append(b, '\\', char[0])
	case "\b":
		return append(b, `\b`...)
	case "\f":
		return append(b, `\f`...)
	case "\n":
		return append(b, `\n`...)
	case "\r":
		return append(b, `\r`...)
	case "\t":
		return append(b, `\t`...)
	case "\u2028":
		return append(b, `\u2028`...)
	case "\u2029":
		return append(b, `\u2029`...)
	}
	if char[0] >= utf8.RuneSelf {
		return append(b, `\ufffd`...)
	}
	return append(b, '\\', 'u', '0', '0', hexDigits[char[0]>>4], hexDigits[char[0]&15])
}

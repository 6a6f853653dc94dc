package loadtest

import (
	"bytes"

	"steno/audio"
	"steno/messages"
)

// request is the body that opens a session, as far as a client here uses it.
type request struct {
	Encoding     string          `json:"encoding"`
	BitDepth     int             `json:"bit_depth"`
	SampleRate   int             `json:"sample_rate"`
	Channels     int             `json:"channels"`
	Endpointing  float64         `json:"endpointing,omitempty"`
	MaxUtterance float64         `json:"maximum_duration_without_endpointing,omitempty"`
	Languages    *languageConfig `json:"language_config,omitempty"`
	Messages     messagesConfig  `json:"messages_config"`
}

type languageConfig struct {
	Languages []string `json:"languages"`
}

type messagesConfig struct {
	Partials        bool `json:"receive_partial_transcripts"`
	Finals          bool `json:"receive_final_transcripts"`
	SpeechEvents    bool `json:"receive_speech_events"`
	PostProcessing  bool `json:"receive_post_processing_events"`
	Acknowledgments bool `json:"receive_acknowledgments"`
	Errors          bool `json:"receive_errors"`
}

func newRequest(o Options, f audio.Format) request {
	r := request{
		Encoding:     f.Encoding.String(),
		BitDepth:     f.BitDepth,
		SampleRate:   f.SampleRate,
		Channels:     f.Channels,
		Endpointing:  o.Endpointing,
		MaxUtterance: o.MaxUtterance,
		Messages: messagesConfig{Partials: o.Partials, Finals: true, SpeechEvents: true, Acknowledgments: true,
			Errors: true},
	}
	if len(o.Languages) > 0 {
		r.Languages = &languageConfig{Languages: o.Languages}
	}
	return r
}

// created is the answer to the request.
type created struct {
	ID  string `json:"id"`
	URL string `json:"url"`
}

// frame is any message of the server. Data holds the fields of all types a client here looks at: no
// two of them use one name in different ways.
type frame struct {
	Type         string `json:"type"`
	Acknowledged *bool  `json:"acknowledged"`
	Error        *struct {
		Exception string `json:"exception"`
		Message   string `json:"message"`
	} `json:"error"`
	Data *struct {
		ByteRange *[2]int64          `json:"byte_range"`
		Time      float64            `json:"time"`
		Channel   int                `json:"channel"`
		ID        string             `json:"id"`
		IsFinal   bool               `json:"is_final"`
		Utterance messages.Utterance `json:"utterance"`
	} `json:"data"`
}

const stopFrame = `{"type":"stop_recording"}`

// ackOf reads an acknowledgment of audio without decoding it, and reports whether b is one: nearly
// every message is. In JSON these marks can stand outside of strings only, since a quote within a
// string is escaped. What is written in another way, with spaces for instance, is decoded.
func ackOf(b []byte) (from, to int64, ok bool) {
	if len(b) > 1024 || !bytes.Contains(b, []byte(`"type":"audio_chunk"`)) ||
		!bytes.Contains(b, []byte(`"acknowledged":true`)) {
		return 0, 0, false
	}
	mark := []byte(`"byte_range":[`)
	at := bytes.Index(b, mark)
	if at < 0 {
		return 0, 0, false
	}
	from, rest, ok1 := digits(b[at+len(mark):], ',')
	to, _, ok2 := digits(rest, ']')
	return from, to, ok1 && ok2
}

// digits reads a number of up to 18 digits that ends with end.
func digits(b []byte, end byte) (n int64, rest []byte, ok bool) {
	for i, c := range b {
		switch {
		case c == end && i > 0:
			return n, b[i+1:], true
		case c < '0' || c > '9' || i >= 18:
			return 0, nil, false
		}
		n = 10*n + int64(c-'0')
	}
	return 0, nil, false
}

// isPartial reports whether b, which is valid JSON, is a partial transcript written without spaces.
func isPartial(b []byte) bool {
	return bytes.Contains(b, []byte(`"type":"transcript"`)) && bytes.Contains(b, []byte(`"is_final":false`))
}

// partialFrame is what a client looks at in a partial that is not reported.
type partialFrame struct {
	Data struct {
		ID        string `json:"id"`
		Utterance struct {
			Start   float64 `json:"start"`
			End     float64 `json:"end"`
			Channel int     `json:"channel"`
		} `json:"utterance"`
	} `json:"data"`
}

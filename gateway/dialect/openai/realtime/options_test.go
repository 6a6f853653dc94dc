package realtime

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"time"

	"steno/gateway/dialect/dialecttest"
)

// TestOptions has all that the libraries openai of Python and npm can send in an address and in the
// settings of a session.
func TestOptions(t *testing.T) {
	dialecttest.Client{Where: "WebSocket /v1/realtime", Ignored: ignored(),
		Options: map[string]string{"model": "stt-3", "intent": "transcription", "call_id": "c"},
		Refused: []string{"call_id"},
		Parse:   func(name, value string) (any, error) { return fromAddress(url.Values{name: {value}}) },
	}.Check(t)
	for object, options := range map[string]map[string]string{
		`{"type":"transcription"OPTION}`: {
			"include": `["item.input_audio_transcription.logprobs"]`, "input_audio_format": `"g711_ulaw"`,
			"input_audio_transcription": `{"language":"de"}`, "turn_detection": `null`,
			"input_audio_noise_reduction": `{"type":"near_field"}`, "audio": `{"input":{"turn_detection":null}}`,
		},
		`{"audio":{"input":{"x":0OPTION}}}`: {
			"format": `{"type":"audio/pcmu"}`, "transcription": `{"language":"de"}`, "turn_detection": `null`,
			"noise_reduction": `{"type":"near_field","strength":0.5}`,
		},
		`{"audio":{"input":{"format":{"type":"audio/pcm"OPTION}}}}`: {"rate": `8000`},
		`{"audio":{"input":{"transcription":{"x":0OPTION}}}}`: {
			"delay": `"low"`, "keywords": `["Ada"]`, "language": `"de"`, "languages": `["de"]`, "model": `"whisper-1"`,
			"prompt": `"Ada"`,
		},
		`{"audio":{"input":{"turn_detection":{"type":"server_vad"OPTION}}}}`: {
			"create_response": `true`, "idle_timeout_ms": `6000`, "interrupt_response": `true`,
			"prefix_padding_ms": `100`, "silence_duration_ms": `700`, "threshold": `0.7`,
		},
		`{"audio":{"input":{"turn_detection":{"type":"semantic_vad"OPTION}}}}`: {
			"create_response": `true`, "eagerness": `"low"`, "interrupt_response": `true`,
		},
	} {
		dialecttest.Client{Where: "session.update", Ignored: ignored(), Options: options, Refused: []string{"rate"},
			Parse: func(name, value string) (any, error) {
				option := ""
				if name != "" {
					option = `,"` + name + `":` + value
				}
				s := defaults()
				return s, s.update(json.RawMessage(strings.ReplaceAll(object, "OPTION", option)), true)
			}}.Check(t)
	}
}

// TestLife has how long a secret lasts.
func TestLife(t *testing.T) {
	for text, want := range map[string]time.Duration{
		`{}`: usualLife * time.Second, `{"expires_after":{"anchor":"created_at","seconds":10}}`: 10 * time.Second,
		`{"expires_after":{"anchor":"now"}}`: 0, `{"expires_after":{"seconds":9}}`: 0,
	} {
		var q secretRequest
		if err := json.Unmarshal([]byte(text), &q); err != nil {
			t.Fatal(err)
		}
		if got, err := q.life(); got != want || (err == nil) != (want > 0) {
			t.Errorf("%s: %v %v", text, got, err)
		}
	}
}

package listen

import (
	"net/url"
	"strings"
	"testing"

	"steno/gateway/dialect/dialecttest"
)

// TestOptions has all that deepgram-sdk of Python, @deepgram/sdk of npm, and the services of
// pipecat and LiveKit can send in an address.
func TestOptions(t *testing.T) {
	dialecttest.Client{
		Where: "WebSocket /v1/listen", Ignored: ignored(), Refused: []string{"callback_method"},
		Options: map[string]string{
			"callback": "http://127.0.0.1/", "callback_method": "put", "channels": "2", "detect_entities": "true",
			"diarize": "true", "diarize_model": "latest", "dictation": "true", "encoding": "alaw", "endpointing": "500",
			"extra": "a:b", "filler_words": "true", "interim_results": "true", "keyterm": "Ada", "keywords": "Ada:2",
			"language": "de", "language_hint": "de", "measurements": "true", "mip_opt_out": "true", "model": "stt-3",
			"multichannel": "true", "no_delay": "true", "numerals": "true", "profanity_filter": "true",
			"punctuate": "true", "redact": "pci", "replace": "a:b", "sample_rate": "8000", "search": "Ada",
			"smart_format": "true", "tag": "x", "utterance_end_ms": "1000", "vad_events": "true", "version": "2",
		},
		Parse: func(name, value string) (any, error) {
			query := url.Values{"callback": {"http://localhost/"}, "encoding": {"mulaw"}, "sample_rate": {"16000"}}
			query.Set(name, value)
			s, err := parseSettings(query)
			if err == nil {
				s.ignored = nil
			}
			return s, err
		}}.Check(t)
}

// TestConfigure changes terms, and nothing where it is asked for what holds for the whole stream.
func TestConfigure(t *testing.T) {
	for text, want := range map[string]string{
		`{"type":"Configure","keyterms":["Ada"]}`:                                "ConfigureSuccess",
		`{"type":"Configure","keyterms":["Ada"],"features":{"numerals":true}}`:   "ConfigureSuccess",
		`{"type":"Configure","keyterms":["Ada"],"features":{"punctuate":false}}`: "ConfigureFailure",
		`{"type":"Configure","features":7}`:                                      "ConfigureFailure",
	} {
		in := &dialecttest.Input{}
		parser{newDigest()}.Text([]byte(text), in)
		if len(in.Answers) != 1 || !strings.Contains(string(in.Answers[0]), want) ||
			(len(in.Updates) == 1) != (want == "ConfigureSuccess") {
			t.Errorf("%s: %s, %v", text, in.Answers, in.Updates)
		}
	}
}

package files

import (
	"net/url"
	"slices"
	"testing"

	"steno/gateway/dialect/dialecttest"
)

// TestOptions has all that deepgram-sdk of Python and @deepgram/sdk of npm can send with a file.
func TestOptions(t *testing.T) {
	options := map[string]string{
		"callback": "http://127.0.0.1/", "callback_method": "put", "custom_intent": "x", "custom_intent_mode": "strict",
		"custom_topic": "x", "custom_topic_mode": "strict", "detect_entities": "true", "detect_language": "true",
		"diarize": "true", "diarize_model": "latest", "dictation": "true", "encoding": "alaw", "extra": "a:b",
		"filler_words": "true", "intents": "true", "keyterm": "Ada", "keywords": "Ada:2", "language": "de",
		"language_hint": "de", "measurements": "true", "mip_opt_out": "true", "model": "stt-3", "multichannel": "true",
		"numerals": "true", "paragraphs": "true", "profanity_filter": "true", "punctuate": "true", "redact": "pci",
		"replace": "a:b", "search": "Ada", "sentiment": "true", "smart_format": "true", "summarize": "v2", "tag": "x",
		"topics": "true", "utt_split": "0.5", "utterances": "true", "version": "2",
		"channels": "2", "sample_rate": "8000", // not in their types: samples without a header need them
	}
	dialecttest.Client{Where: listen, Ignored: ignored(), Options: options,
		Parse: func(name, value string) (any, error) {
			query := url.Values{"callback": {"http://localhost/"}, "encoding": {"mulaw"}, "sample_rate": {"16000"}}
			query.Set(name, value)
			q, err := parse(query)
			q.ignored = nil
			return q, err
		}}.Check(t)
	for _, name := range parameters {
		if options[name] == "" {
			t.Errorf("%s is described, and not known here", name)
		}
	}
	for name := range options {
		if _, without := withoutEffect[name]; without == slices.Contains(parameters, name) {
			t.Errorf("%s must be either described or without effect", name)
		}
	}
}

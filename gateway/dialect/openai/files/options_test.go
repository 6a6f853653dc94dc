package files

import (
	"testing"

	"steno/gateway/dialect/dialecttest"
)

// TestOptions has all that the libraries openai of Python and npm can send with a file.
func TestOptions(t *testing.T) {
	common := map[string]string{"model": "stt-3", "prompt": "Ada", "response_format": "verbose_json",
		"temperature": "0.5"}
	all := map[string]string{
		"model": "stt-3", "prompt": "Ada", "response_format": "verbose_json", "temperature": "0.5",
		"chunking_strategy": "auto", "include": "logprobs", "keywords": "Ada", "known_speaker_names": "Ada",
		"known_speaker_references": "data:audio/wav;base64,", "language": "de", "languages": "de", "stream": "true",
		"timestamp_granularities": "word",
	}
	for path, of := range map[string]struct {
		task    task
		options map[string]string
	}{transcriptions: {transcribe, all}, translations: {translate, common}} {
		dialecttest.Client{Where: "POST " + path, Ignored: ignored(), Options: of.options,
			Parse: func(name, value string) (any, error) {
				return parse(of.task, map[string][]string{name: {value}})
			}}.Check(t)
	}
}

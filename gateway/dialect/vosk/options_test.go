package vosk

import (
	"testing"

	"steno/gateway/dialect/dialecttest"
)

// TestOptions has all that clients of Vosk's servers can state in config.
func TestOptions(t *testing.T) {
	dialecttest.Client{
		Where: "config of /vosk", Ignored: ignored(),
		Options: map[string]string{"max_alternatives": `2`, "model": `"x"`, "phrase_list": `["one"]`,
			"sample_rate": `16000`, "words": `false`},
		Parse: func(name, value string) (any, error) {
			if name == "" {
				return parse([]byte(`{"config":{}}`))
			}
			return parse([]byte(`{"config":{"` + name + `":` + value + `}}`))
		},
	}.Check(t)
}

package flux

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"steno/gateway/dialect/dialecttest"
)

// TestOptions has all that deepgram-sdk of Python and @deepgram/sdk of npm can send in an address
// and in Configure.
func TestOptions(t *testing.T) {
	dialecttest.Client{
		Where: "WebSocket /v2/listen", Ignored: ignored(),
		Options: map[string]string{
			"eager_eot_threshold": "0.4", "encoding": "mulaw", "eot_threshold": "0.9", "eot_timeout_ms": "700",
			"keyterm": "Ada", "language_hint": "de", "mip_opt_out": "true", "model": "stt-3", "numerals": "true",
			"profanity_filter": "true", "redact": "pci", "sample_rate": "8000", "tag": "x",
		},
		Parse: func(name, value string) (any, error) {
			query := url.Values{"encoding": {"linear16"}, "sample_rate": {"16000"}}
			query.Set(name, value)
			return parseSettings(query)
		}}.Check(t)
	dialecttest.Client{
		Where: configuring, Ignored: ignored(), Refused: []string{"language_hints"},
		Options: map[string]string{"keyterms": `["Ada"]`, "language_hints": `["de"]`, "numerals": `true`,
			"thresholds": `{"eot_threshold":0.9}`},
		Parse: configure,
	}.Check(t)
}

// configure has a parser read Configure with a member. An answer that refuses it is an error.
func configure(name, value string) (any, error) {
	in := &dialecttest.Input{}
	p := &parser{turns: turns{sure: usualSure, timeout: usualTimeout}, languages: []string{"en"}}
	text := `{"type":"Configure"`
	if name != "" {
		text += `,"` + name + `":` + value
	}
	p.Text([]byte(text+"}"), in)
	if answer := string(in.Answers[0]); !strings.Contains(answer, "ConfigureSuccess") {
		return nil, errors.New(answer)
	}
	return in, nil
}

// TestLanguageHints has those of the stream accepted, by whatever names.
func TestLanguageHints(t *testing.T) {
	for value, accepted := range map[string]bool{`["en"]`: true, `["en-US"]`: true, `null`: true, `[]`: false,
		`["en","de"]`: false, `["xx"]`: false} {
		if _, err := configure("language_hints", value); (err == nil) != accepted {
			t.Errorf("%s: %v", value, err)
		}
	}
}

package streaming

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"steno/gateway/dialect/dialecttest"
	"steno/messages"
)

// TestOptions has all that the libraries assemblyai of Python and npm can send in an address, in
// UpdateConfiguration, and to make a token.
func TestOptions(t *testing.T) {
	dialecttest.Client{
		Where: "WS /v3/ws", Ignored: ignored(),
		Refused: []string{"webhook_url", "webhook_auth_header_name", "webhook_auth_header_value", "llm_gateway"},
		Options: map[string]string{
			"_customer_support_audio_capture": "true", "acknowledge_silence": "true", "agent_context": "x",
			"continuous_partials": "true", "customer_support_audio_capture": "true", "domain": "medical-v1",
			"encoding": "pcm_mulaw", "end_of_turn_confidence_threshold": "0.9", "filter_profanity": "true",
			"format_turns": "true", "inactivity_timeout": "30", "include_partial_turns": "false",
			"interruption_delay": "100", "keyterms_prompt": `["Ada"]`, "language_code": "de",
			"language_codes": `["de"]`, "language_detection": "true", "llm_gateway": `{"model":"x"}`,
			"max_speakers": "2", "max_turn_silence": "900", "min_end_of_turn_silence_when_confident": "300",
			"min_turn_silence": "300", "mode": "min_latency", "noise_suppression_model": "near-field",
			"noise_suppression_threshold": "0.5", "prompt": "x", "redact_pii": "true",
			"redact_pii_policies": `["date"]`, "redact_pii_sub": "entity_name", "sample_rate": "8000",
			"session_heartbeat": "true", "speaker_labels": "true", "speaker_labels_revision_interval_ms": "120000",
			"speech_model": "u3-pro", "turn_left_pad_ms": "100", "vad_threshold": "0.7", "voice_focus": "near-field",
			"voice_focus_threshold": "0.5", "webhook_auth_header_name": "x", "webhook_auth_header_value": "x",
			"webhook_url": "http://localhost/",
		},
		Parse: func(name, value string) (any, error) {
			query := url.Values{"sample_rate": {"16000"}}
			if strings.HasPrefix(name, "redact_pii_") {
				query.Set("redact_pii", "true")
			}
			query.Set(name, value)
			return parseSettings(query)
		}}.Check(t)
	dialecttest.Client{
		Where: "UpdateConfiguration", Ignored: ignored(),
		Options: map[string]string{
			"acknowledge_silence": `true`, "agent_context": `"x"`, "end_of_turn_confidence_threshold": `0.9`,
			"filter_profanity": `true`, "format_turns": `true`, "interruption_delay": `100`,
			"keyterms_prompt": `["Ada"]`, "language_codes": `["de"]`, "max_turn_silence": `900`,
			"min_end_of_turn_silence_when_confident": `300`, "min_turn_silence": `300`, "prompt": `"x"`,
			"session_heartbeat": `true`, "turn_left_pad_ms": `100`, "vad_threshold": `0.7`,
		},
		Parse: updated,
	}.Check(t)
	dialecttest.Client{
		Where: "GET /v3/token", Ignored: ignored(),
		Options: map[string]string{"expires_in_seconds": "5", "max_session_duration_seconds": "600"},
		Parse:   func(name, value string) (any, error) { return lifeOf(url.Values{name: {value}}) },
	}.Check(t)
}

// updated has a parser read UpdateConfiguration with a member. An end is an error.
func updated(name, value string) (any, error) {
	in, p := &dialecttest.Input{}, &parser{languages: []string{"en"}}
	text := `{"type":"UpdateConfiguration"`
	if name != "" {
		text += `,"` + name + `":` + value
	}
	p.Text([]byte(text+"}"), in)
	if len(in.Ended) > 0 {
		return nil, errors.New(in.Ended[0].Detail)
	}
	return in, nil
}

// TestLanguageCodes has clients warned of languages that a session does not have.
func TestLanguageCodes(t *testing.T) {
	for value, warned := range map[string]bool{`["en"]`: false, `["en-US"]`: false, `["de"]`: true, `[]`: true,
		`["en","de"]`: true} {
		got, err := updated("language_codes", value)
		if err != nil {
			t.Fatal(err)
		}
		answers := got.(*dialecttest.Input).Answers
		if len(answers) > 0 != warned {
			t.Errorf("%s: answers %s", value, answers)
		}
		for _, a := range answers {
			sent := ""
			newEncoder(settings{}).Event(&messages.Event{Key: messages.Key{Kind: messages.KindAnswer}, Body: a},
				func(text []byte) { sent += string(text) })
			if !strings.HasPrefix(sent, `{"type":"Warning","warning_code":`) {
				t.Errorf("sent %s", sent)
			}
		}
	}
}

package files

import (
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"steno/gateway/dialect/dialecttest"
)

// TestOptions has all that the libraries assemblyai of Python and npm can send for a transcript.
func TestOptions(t *testing.T) {
	dialecttest.Client{
		Where: "POST /v2/transcript", Ignored: ignored(),
		Refused: []string{"audio_end_at", "audio_start_from", "language_confidence_threshold", "speech_understanding"},
		Options: map[string]string{
			"audio_end_at": `5`, "audio_start_from": `5`, "audio_url": `"http://127.0.0.1/"`, "auto_chapters": `true`,
			"auto_highlights": `true`, "boost_param": `"high"`, "content_safety": `true`,
			"content_safety_confidence": `50`, "custom_spelling": `[{"from":["a"],"to":"b"}]`,
			"custom_topics": `true`, "disfluencies": `true`, "domain": `"medical-v1"`, "dual_channel": `true`,
			"entity_detection": `true`, "filter_profanity": `true`, "format_text": `false`, "iab_categories": `true`,
			"keyterms_prompt": `["Ada"]`, "keyterms_prompt_options": `{"keyterms_match_strength":"high"}`,
			"language_code": `"de"`, "language_codes": `["de"]`, "language_confidence_threshold": `0.5`,
			"language_detection": `true`, "language_detection_options": `{"expected_languages":["de"]}`,
			"multichannel": `true`, "prompt": `"x"`, "punctuate": `false`, "redact_pii": `false`,
			"redact_pii_audio": `true`, "redact_pii_audio_options": `{"override_audio_redaction_method":"silence"}`,
			"redact_pii_audio_quality": `"wav"`, "redact_pii_policies": `["date"]`,
			"redact_pii_return_unredacted": `true`, "redact_pii_sub": `"entity_name"`, "remove_audio_tags": `"all"`,
			"sentiment_analysis": `true`, "speaker_labels": `true`, "speaker_options": `{"min_speakers_expected":2}`,
			"speakers_expected": `2`, "speech_model": `"stt-3"`, "speech_models": `["stt-3"]`,
			"speech_threshold": `0.5`, "speech_understanding": `{"request":{"translation":{}}}`,
			"summarization": `true`,
			"summary_model": `"informative"`, "summary_type": `"bullets"`, "temperature": `0.5`, "topics": `["x"]`,
			"webhook_auth_header_name": `"Y"`, "webhook_auth_header_value": `"y"`, "webhook_url": `"http://127.0.0.1/"`,
			"word_boost": `["Ada"]`,
		},
		Parse: func(name, value string) (any, error) {
			return requested(`"redact_pii":true,"webhook_url":"http://localhost/","webhook_auth_header_name":"X",
				"webhook_auth_header_value":"x"`, name, value)
		},
	}.Check(t)
	for where, options := range map[string]map[string]string{
		speakerOptionsOf: {
			"long_file_diarization_method": `"standard"`, "max_speakers_expected": `2`, "min_speakers_expected": `2`,
			"short_file_diarization_method": `"balanced"`, "use_two_stage_clustering": `true`,
		},
		languageDetection: {
			"code_switching": `true`, "code_switching_confidence_threshold": `0.5`, "expected_languages": `["de"]`,
			"fallback_language": `"de"`, "language_detection_model": `"x"`, "localization": `["en_au"]`,
			"on_low_language_confidence": `"fallback"`, "on_no_speech_detected": `"fallback"`, "swiss_german": `true`,
		},
	} {
		object, _, _ := strings.Cut(where, " ")
		dialecttest.Client{Where: where, Ignored: ignored(), Options: options,
			Parse: func(name, value string) (any, error) {
				if name != "" {
					value = `{"` + name + `":` + value + `}`
				} else {
					value = "{}"
				}
				return requested(`"speaker_labels":true`, object, value)
			}}.Check(t)
	}
}

// requested is what is made of a request with a member after others.
func requested(others, name, value string) (any, error) {
	text := `{"audio_url":"http://localhost/",` + others
	if name != "" {
		text += `,"` + name + `":` + value
	}
	job, o, err := parse([]byte(text + "}"))
	return []any{job, o}, err
}

// TestListOptions has all that the libraries can ask of a list.
func TestListOptions(t *testing.T) {
	dialecttest.Client{
		Where: "GET /v2/transcript", Ignored: ignored(), Refused: []string{"throttled_only"},
		Options: map[string]string{"created_on": "2026-03-01", "limit": "5", "status": "error",
			"throttled_only": "true"},
		Parse: func(name, value string) (any, error) {
			query := url.Values{name: {value}}.Encode()
			return service{}.listQuery(httptest.NewRequest("GET", "/?"+query, nil))
		},
	}.Check(t)
	for _, day := range []string{"yesterday", "2026-13-01"} {
		r := httptest.NewRequest("GET", "/?created_on="+day, nil)
		if _, err := (service{}).listQuery(r); err == nil {
			t.Errorf("%s is taken for a day", day)
		}
	}
}

package messages

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// listed lists the warnings of a request, as "field message"; those of what is done all the same
// are in brackets.
func listed(ws Warnings) []string {
	var all []string
	for _, w := range ws {
		text := w.Field + " " + w.Message
		if w.honoured {
			text = "(" + text + ")"
		}
		all = append(all, text)
	}
	return all
}

func TestFieldsIgnoredLive(t *testing.T) {
	const recorded = " is for recorded files (POST /v2/pre-recorded), and not done live"
	for body, want := range map[string][]string{
		`{}`:               nil,
		`{"unknown":null}`: nil,
		`{"strict":false}`: nil,
		`{"custom_metadata":{"a":{"b":1}},"channels":1}`: nil,
		`{"sample_rat":8000}`:                            {"sample_rat is not a known field: did you mean sample_rate?"},
		`{"sampleRate":8000,"end-pointing":1}`: {
			"end-pointing is not a known field: did you mean endpointing?",
			"sampleRate is not a known field: did you mean sample_rate?"},
		`{"mesages_config":{}}`:       {"mesages_config is not a known field: did you mean messages_config?"},
		`{"whatever":1}`:              {"whatever is not a known field"},
		`{"sentiment_analysis":true}`: {"sentiment_analysis is not known here: did you mean realtime_processing.sentiment_analysis?"},
		`{"languages":["en"]}`:        {"languages is not known here: did you mean language_config.languages?"},
		`{"language_config":{"language":"en"}}`: {
			"language_config.language is not a known field: did you mean language_config.languages?"},
		`{"pii_redaction":true,"realtime_processing":{"pii_redaction_config":{"entity_types":"GDPR"}}}`: {
			"pii_redaction is not known here: did you mean realtime_processing.pii_redaction?",
			"realtime_processing.pii_redaction_config is used only where realtime_processing.pii_redaction is " +
				"true"},
		`{"subtitles":false}`: {"subtitles" + recorded},
		`{"realtime_processing":{"words_accurate_timestamps":true}}`: {
			"realtime_processing.words_accurate_timestamps is not a switch here: words have their times always"},
		`{"realtime_processing":{"custom_vocabulary_config":{"vocabulary":["a",{"value":"b","intensty":1}]}}}`: {
			"realtime_processing.custom_vocabulary_config is used only where realtime_processing.custom_vocabulary is true",
			"realtime_processing.custom_vocabulary_config.vocabulary.1.intensty is not a known field: did you mean realtime_processing.custom_vocabulary_config.vocabulary.1.intensity?"},
		`{"callback":false,"callback_config":{}}`:                 nil,
		`{"messages_config":{"receive_partial_transcript":true}}`: {"messages_config.receive_partial_transcript is not a known field: did you mean messages_config.receive_partial_transcripts?"},
		`{"post_processing":{"summarisation":true}}`:              {"post_processing.summarisation is not a known field: did you mean post_processing.summarization?"},
		`{"a,b\u0000é":1,"` + strings.Repeat("x", 500) + `":1,"":1,"  ":1}`: {
			"? is not a known field", "? is not a known field", "a?b?? is not a known field",
			strings.Repeat("x", 120) + "... is not a known field"},
	} {
		if got := listed(mustParse(t, body).Warnings()); !slices.Equal(got, want) {
			t.Errorf("%.200s:\ngot  %q\nwant %q", body, got, want)
		}
	}
}

func TestFieldsIgnoredInRecordings(t *testing.T) {
	const live = " is for live sessions (POST /v2/live), and not done here"
	for fields, want := range map[string][]string{
		`"audio_url":"http://a"`:                     nil,
		`"diarisation":true`:                         {"diarisation is not a known field: did you mean diarization?"},
		`"realtime_processing":{"translation":true}`: {"realtime_processing" + live},
		`"audio_enhancer":true,"sample_rate":8000`: {"audio_enhancer" + live,
			"sample_rate" + live},
		`"moderation":false,"context_prompt":"x"`:                                    {"context_prompt is deprecated and not done: use custom_vocabulary", "moderation is not done here"},
		`"subtitles_config":{"formats":["vtt"]}`:                                     {"subtitles_config is used only where subtitles is true"},
		`"callback_config":{"url":"http://b","receive_errors":true},"callback":true`: {"callback_config.receive_errors" + live},
		`"translation":true,"translation_config":{"target_languages":["fr"],"model":"enhanced"}`: {
			"translation_config.model enhanced is not done here: all translations are made in one way"},
		`"translation":true,"translation_config":{"target_languages":["fr"],"model":"base"}`:  nil,
		`"diarization":true,"diarization_config":{"enhanced":true}`:                           {"diarization_config.enhanced is not a known field"},
		`"custom_spelling":true,"custom_spelling_config":{"spelling_dictionary":{"a":["b"]}}`: nil,
	} {
		body := `{"audio_url":"http://a",` + fields + `}`
		r := mustRecord(t, body)
		if got := listed(r.Warnings()); !slices.Equal(got, want) {
			t.Errorf("%.200s:\ngot  %q\nwant %q", body, got, want)
		}
		text, _ := json.Marshal(r)
		if again := listed(mustRecord(t, string(text)).Warnings()); slices.ContainsFunc(again,
			func(w string) bool { return strings.Contains(w, "known") || strings.Contains(w, "deprecated") }) {
			t.Errorf("stored params warn: %q", again)
		}
	}
}

// Former names count where language_config has no other value, and are warned of.
func TestDeprecatedFields(t *testing.T) {
	const list, use = "is deprecated: use language_config.languages", "use language_config.code_switching"
	const other = "is deprecated, and another field says otherwise: "
	for fields, want := range map[string]struct {
		params string
		told   []string
	}{
		`"language":"fr"`: {`{"languages":["fr"],"code_switching":false}`,
			[]string{"(language " + list + ")"}},
		`"language":"FR-ca","language_config":{}`: {`{"languages":["fr"],"code_switching":false}`,
			[]string{"(language " + list + ")"}},
		`"language":"fr","language_config":{"languages":[]}`: {`{"languages":["fr"],"code_switching":false}`,
			[]string{"(language " + list + ")"}},
		`"language":""`: {`{"languages":[],"code_switching":false}`, nil},
		`"language":"en","language_config":{"languages":["en"]}`: {`{"languages":["en"],"code_switching":false}`,
			[]string{"(language " + list + ")"}},
		`"language":"fr","language_config":{"languages":["en"]}`: {`{"languages":["en"],"code_switching":false}`,
			[]string{"language " + other + "use language_config.languages"}},
		`"language":"fr","detect_language":false`: {`{"languages":["fr"],"code_switching":false}`,
			[]string{"(language " + list + ")",
				"(detect_language is deprecated: name the language in language_config.languages)"}},
		`"language":"fr","detect_language":true`: {`{"languages":["fr"],"code_switching":false}`,
			[]string{"(language " + list + ")", "detect_language " + other + "leave language_config.languages empty"}},
		`"detect_language":true`: {`{"languages":[],"code_switching":false}`,
			[]string{"(detect_language is deprecated: leave language_config.languages empty)"}},
		`"detect_language":false`: {`{"languages":[],"code_switching":false}`,
			[]string{"detect_language is deprecated, and false without one language named: use language_config.languages"}},
		`"enable_code_switching":true,"code_switching_config":{"languages":["en","fr"]},"language":"de"`: {`{"languages":["en","fr"],"code_switching":true}`,
			[]string{"(enable_code_switching is deprecated: " + use + ")", "(code_switching_config " + list + ")",
				"language " + other + "use language_config.languages"}},
		`"enable_code_switching":false,"code_switching_config":{"languages":["en","fr"]},"language":"de"`: {`{"languages":["de"],"code_switching":false}`,
			[]string{"(enable_code_switching is deprecated: " + use + ")", "code_switching_config " + uncounted,
				"(language " + list + ")"}},
		`"enable_code_switching":true,"language_config":{"code_switching":false}`: {`{"languages":[],"code_switching":false}`,
			[]string{"enable_code_switching " + other + use}},
		`"transcription_settings":{"gladia":{"enable_code_switching":true,"code_switching_languages":["en","FR"]}}`: {`{"languages":["en","fr"],"code_switching":true}`, nil},
		`"transcription_settings":{"acme":{"x":1},"steno":{"enable_code_switching":true,"code_switching_languages":["de"]}}`: {`{"languages":["de"],"code_switching":true}`,
			[]string{"transcription_settings.acme.x is not a known field"}},
		`"transcription_settings":{"acme":{"enable_code_switching":false},"gladia":{"enable_code_switching":true}}`: {`{"languages":[],"code_switching":true}`,
			[]string{"transcription_settings.acme is not done: transcription_settings.gladia counts"}},
		`"transcription_settings":{"gladia":{"code_switching_languages":["de"]}},"language_config":{"languages":["en"]}`: {`{"languages":["en"],"code_switching":false}`,
			[]string{"transcription_settings.gladia.code_switching_languages " + uncounted}},
		`"transcription_settings":{}`: {`{"languages":[],"code_switching":false}`, nil},
	} {
		check := func(kind string, params []byte, ws Warnings) {
			var got struct {
				LanguageConfig json.RawMessage `json:"language_config"`
			}
			if err := json.Unmarshal(params, &got); err != nil {
				t.Fatal(err)
			}
			if string(got.LanguageConfig) != want.params || !slices.Equal(listed(ws), want.told) {
				t.Errorf("%s, %s:\ngot  %s %q\nwant %s %q", kind, fields, got.LanguageConfig, listed(ws), want.params,
					want.told)
			}
		}
		r := mustRecord(t, `{"audio_url":"http://a",`+fields+`}`)
		text, _ := json.Marshal(r)
		check("recorded", text, r.Warnings())
		l := mustParse(t, `{`+fields+`}`)
		text, _ = json.Marshal(l)
		check("live", text, l.Warnings())
	}
	for fields, want := range map[string]string{
		`"language":"english"`:   "language " + oneLanguageOrNone,
		`"language":7`:           "language must be a string",
		`"detect_language":"no"`: "detect_language must be a boolean",
		`"transcription_settings":{"gladia":{"code_switching_languages":["xx"]}}`: "transcription_settings.gladia.code_switching_languages.0 " + oneLanguage,
		`"transcription_settings":{"gladia":true}`:                                "transcription_settings.gladia must be an object",
		`"custom_vocabulary":[""]`:                                                "custom_vocabulary_config.vocabulary.0 must not be empty",
		`"custom_vocabulary":"a"`:                                                 "custom_vocabulary must be a boolean",
	} {
		expectRecordedFaults(t, `{"audio_url":"http://a",`+fields+`}`, want)
	}
}

func TestFormerVocabulary(t *testing.T) {
	for fields, want := range map[string]struct {
		params string
		told   []string
	}{
		`"custom_vocabulary":["steno",{"value":"Ada"}]`: {`"custom_vocabulary":true,"custom_vocabulary_config":{"vocabulary":["steno","Ada"],"default_intensity":0.5}`,
			[]string{"(custom_vocabulary is deprecated: the words belong to custom_vocabulary_config.vocabulary)"}},
		`"custom_vocabulary":["a"],"custom_vocabulary_config":{"default_intensity":1}`: {
			`"custom_vocabulary":true,"custom_vocabulary_config":{"vocabulary":["a"],"default_intensity":1}`,
			[]string{"(custom_vocabulary is deprecated: the words belong to custom_vocabulary_config.vocabulary)"}},
		`"custom_vocabulary":["a"],"custom_vocabulary_config":{"vocabulary":["b"]}`: {`"custom_vocabulary":true,"custom_vocabulary_config":{"vocabulary":["b"],"default_intensity":0.5}`,
			[]string{"custom_vocabulary is deprecated, and another field says otherwise: the words belong to custom_vocabulary_config.vocabulary"}},
		`"callback_url":"http://b"`: {`"callback_url":"http://b"`,
			[]string{"(callback_url is deprecated: use callback and callback_config.url)"}},
		`"callback_url":"http://b","callback":true,"callback_config":{"url":"http://c"}`: {`"url":"http://c"`,
			[]string{"callback_url is deprecated, and another field says otherwise: use callback and callback_config.url"}},
	} {
		body := `{"audio_url":"http://a",` + fields + `}`
		if got := recordedParams(t, body); !strings.Contains(got, want.params) {
			t.Errorf("%s: %s is not in %s", fields, want.params, got)
		}
		if got := listed(mustRecord(t, body).Warnings()); !slices.Equal(got, want.told) {
			t.Errorf("%s:\ngot  %q\nwant %q", fields, got, want.told)
		}
	}
}

// However much a client sends, its warnings stay short, and are found quickly.
func TestWarningsAreBounded(t *testing.T) {
	var b strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&b, `"sample_rate_of_the_audio_%d":1,`, i)
	}
	ws := mustParse(t, "{"+b.String()+`"channels":1}`).Warnings()
	if len(ws) != maxWarnings+1 || ws[maxWarnings].Field != moreWarnings {
		t.Errorf("%d warnings, the last %+v", len(ws), ws[len(ws)-1])
	}
	if h := ws.Header(); len(h) > maxHeader || !strings.HasSuffix(h, ", ...") ||
		strings.Trim(h, "abcdefghijklmnopqrstuvwxyz_0123456789, .") != "" {
		t.Errorf("header of %d bytes: %s", len(h), h)
	}
	text, _ := json.Marshal(ws)
	if len(text) > 10_000 {
		t.Errorf("%d bytes of warnings", len(text))
	}
}

func TestWarningsHeader(t *testing.T) {
	var ws Warnings
	if h := ws.Header(); h != "" {
		t.Errorf("none: %q", h)
	}
	ws.Warn("a", "x")
	ws.Deprecate("old", "y")
	ws.WarnOfQuery(url.Values{"b\r\nx-evil: 1": {"1"}})
	if h := ws.Ignored().Header(); h != "a, b??x-evil: 1" {
		t.Errorf("%q", h)
	}
	if p := ws.Refusal(); p == nil || p.Status != 400 || !slices.Equal(p.ValidationErrors,
		[]string{"a must not be ignored: x",
			"b??x-evil: 1 must not be ignored: is not a known parameter of the query"}) {
		t.Errorf("%+v", p)
	}
	if p := ws[1:2].Refusal(); p != nil {
		t.Errorf("what is honoured is refused: %+v", p)
	}
}

func TestDistance(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "ab", 2}, {"abc", "abc", 0}, {"abc", "abd", 1}, {"abc", "acb", 1}, {"chanels", "channels", 1},
		{"modle", "model", 1}, {"abc", "xyz", 3}} {
		if got, back := editDistance(tc.a, tc.b), editDistance(tc.b, tc.a); got != tc.want || back != tc.want {
			t.Errorf("%q, %q: %d, %d, want %d", tc.a, tc.b, got, back, tc.want)
		}
	}
}

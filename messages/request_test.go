package messages

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
)

const defaultParams = `{"encoding":"wav/pcm","bit_depth":16,"sample_rate":16000,"channels":1,"model":"stt-1","endpointing":0.05,` +
	`"maximum_duration_without_endpointing":5,"language_config":{"languages":[],"code_switching":false},` +
	`"pre_processing":{"audio_enhancer":false,"speech_threshold":0.6},` +
	`"realtime_processing":{"custom_vocabulary":false,"custom_spelling":false,"translation":false,` +
	`"named_entity_recognition":false,"sentiment_analysis":false},` +
	`"post_processing":{"summarization":false,"summarization_config":{"type":"general"},"chapterization":false},` +
	`"messages_config":{"receive_partial_transcripts":false,"receive_final_transcripts":true,"receive_speech_events":true,` +
	`"receive_pre_processing_events":true,"receive_realtime_processing_events":true,"receive_post_processing_events":true,` +
	`"receive_acknowledgments":true,"receive_errors":true,"receive_lifecycle_events":false},"callback":false,` +
	`"callback_config":{"receive_partial_transcripts":false,"receive_final_transcripts":true,"receive_speech_events":false,` +
	`"receive_pre_processing_events":true,"receive_realtime_processing_events":true,"receive_post_processing_events":true,` +
	`"receive_acknowledgments":false,"receive_errors":false,"receive_lifecycle_events":true}}`

func mustParse(t *testing.T, body string) *LiveRequest {
	t.Helper()
	r, problem := ParseLive([]byte(body))
	if problem != nil {
		t.Fatalf("%s: %v", body, problem.ValidationErrors)
	}
	return r
}

func params(t *testing.T, r *LiveRequest) string {
	t.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestParseLiveDefaults(t *testing.T) {
	for _, body := range []string{
		`{}`, " {\n} ", `{"unknown":{"deep":[1]},"model":null,"language_config":null,"messages_config":{},"channels":null}`,
		`{"realtime_processing":{"words_accurate_timestamps":true,"translation":null,"translation_config":null}}`,
	} {
		if got := params(t, mustParse(t, body)); got != defaultParams {
			t.Errorf("%s: got\n%s\nwant\n%s", body, got, defaultParams)
		}
	}
}

func TestParseLiveFull(t *testing.T) {
	const body = `{"encoding":"wav/ulaw","bit_depth":8,"sample_rate":8000,"channels":2,"model":"stt-1","endpointing":0.3,` +
		`"maximum_duration_without_endpointing":30,"language_config":{"languages":["en","haw"],"code_switching":true},` +
		`"pre_processing":{"audio_enhancer":true,"speech_threshold":0.9},` +
		`"realtime_processing":{"custom_vocabulary":true,"custom_vocabulary_config":{"vocabulary":["Steno & <co>",` +
		`{"value":"Łódź","intensity":0,"pronunciations":["woodge"],"language":"pl"}],"default_intensity":0.5},` +
		`"custom_spelling":true,"custom_spelling_config":{"spelling_dictionary":{"Gorish":["ghorish","gaurish"],"SQL":[]}},` +
		`"translation":true,"translation_config":{"target_languages":["fr","wo"],"model":"enhanced","match_original_utterances":false,` +
		`"lipsync":false,"context_adaptation":false,"context":"a talk","informal":true},` +
		`"named_entity_recognition":true,"sentiment_analysis":true},` +
		`"post_processing":{"summarization":true,"summarization_config":{"type":"concise"},"chapterization":true},` +
		`"messages_config":{"receive_partial_transcripts":true,"receive_final_transcripts":false,"receive_speech_events":false,` +
		`"receive_pre_processing_events":false,"receive_realtime_processing_events":false,"receive_post_processing_events":false,` +
		`"receive_acknowledgments":false,"receive_errors":false,"receive_lifecycle_events":true},"callback":true,` +
		`"callback_config":{"url":"https://example.com/hook?a=1&b=2","receive_partial_transcripts":true,"receive_final_transcripts":false,"receive_speech_events":true,` +
		`"receive_pre_processing_events":false,"receive_realtime_processing_events":false,"receive_post_processing_events":false,` +
		`"receive_acknowledgments":true,"receive_errors":true,"receive_lifecycle_events":false}}`
	r := mustParse(t, body[:len(body)-1]+`,"custom_metadata":{"team":"a","n":1.50}}`)
	got, err := r.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != body {
		t.Errorf("got\n%s\nwant\n%s", got, body)
	}
	if want := (Object{"team": "a", "n": json.Number("1.50")}); !reflect.DeepEqual(r.CustomMetadata, want) {
		t.Errorf("custom metadata: %v", r.CustomMetadata)
	}
	var back LiveRequest
	if err := json.Unmarshal(got, &back); err != nil {
		t.Fatal(err)
	}
	if params(t, &back) != params(t, r) {
		t.Error("request_params do not read back the same")
	}
}

// A config has its defaults filled in as soon as it is there.
func TestParseLiveNestedDefaults(t *testing.T) {
	r := mustParse(t, `{"realtime_processing":{"translation":true,"translation_config":{"target_languages":["fr"]}}}`)
	want := TranslationConfig{
		TargetLanguages: []string{"fr"}, Model: "batch",
		MatchOriginalUtterances: true, Lipsync: true, ContextAdaptation: true,
	}
	if got := *r.RealtimeProcessing.TranslationConfig; !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestParseLiveSpellings(t *testing.T) {
	for _, tc := range []struct{ body, want string }{
		{`{"encoding":"PCM"}`, `"encoding":"wav/pcm","bit_depth":16`},
		{`{"encoding":"pcm"}`, `"encoding":"wav/pcm"`},
		{`{"encoding":"WAV/ALAW"}`, `"encoding":"wav/alaw","bit_depth":8`},
		{`{"encoding":"wav/ulaw","bit_depth":16}`, `"encoding":"wav/ulaw","bit_depth":8`},
		{`{"model":"solaria-1"}`, `"model":"stt-1"`},
		{`{"realtime_processing":{"custom_vocabulary":true,"custom_vocabulary_config":{"vocabulary":["a"]}}}`,
			`"custom_vocabulary_config":{"vocabulary":["a"],"default_intensity":0.5}`},
		{`{"realtime_processing":{"custom_vocabulary_config":{"vocabulary":["a"]}}}`,
			`"custom_vocabulary_config":{"vocabulary":["a"]}`},
		{`{"sample_rate":8000.0,"channels":2e0,"bit_depth":24.000}`, `"bit_depth":24,"sample_rate":8000,"channels":2`},
		{`{"enable_code_switching":true}`, `{"languages":[],"code_switching":true}`},
		{`{"enable_code_switching":true,"code_switching_config":{"languages":["en","fr"]}}`,
			`{"languages":["en","fr"],"code_switching":true}`},
		{`{"code_switching_languages":["de"]}`, `{"languages":[],"code_switching":false}`},
		{`{"code_switching_languages":["de"],"language_config":{"code_switching":true}}`,
			`{"languages":["de"],"code_switching":true}`},
		{`{"code_switching_languages":["de"],"language_config":{"languages":["en"]}}`,
			`{"languages":["en"],"code_switching":false}`},
		{`{"enable_code_switching":true,"language_config":{"code_switching":false}}`,
			`{"languages":[],"code_switching":false}`},
	} {
		if got := params(t, mustParse(t, tc.body)); !strings.Contains(got, tc.want) {
			t.Errorf("%s: %s is not in %s", tc.body, tc.want, got)
		}
	}
}

// nest wraps a JSON value in the objects of a dotted path.
func nest(path, value string) string {
	names := strings.Split(path, ".")
	slices.Reverse(names)
	for _, name := range names {
		value = fmt.Sprintf("{%q:%s}", name, value)
	}
	return value
}

// TestParseLiveFields holds every field's edges: what is just inside passes, what is just outside
// is named.
func TestParseLiveFields(t *testing.T) {
	const notBool, notInt, notNumber, notText = "must be a boolean", "must be an integer", "must be a number",
		"must be a string"
	const notList, notObject = "must be an array", "must be an object"
	type faults map[string]string // value: rule broken
	languages := "must be one of af, am, ar, as, az, ba, be, bg and 91 more"
	vocabulary := "realtime_processing.custom_vocabulary_config.vocabulary"
	for _, tc := range []struct {
		path string
		good []string
		bad  faults
	}{
		{"encoding", []string{`"wav/pcm"`, `"wav/alaw"`, `"wav/ulaw"`}, faults{
			`"wav/mp3"`: "must be one of wav/pcm, wav/alaw, wav/ulaw, webm/opus, ogg/opus, mp3, flac, aac, pcm",
			`""`:        "must be one of wav/pcm, wav/alaw, wav/ulaw, webm/opus, ogg/opus, mp3, flac, aac, pcm",
			`1`:         notText}},
		{"bit_depth", []string{"8", "16", "24", "32"}, faults{
			"12": "must be one of 8, 16, 24, 32", "16.5": notInt, `"16"`: notInt, "1e999": notInt, "1e18": notInt,
			"true": notInt}},
		{"sample_rate", []string{"8000", "16000", "32000", "44100", "48000", "1.6e4"}, faults{
			"11025": "must be one of 8000, 16000, 24000, 32000, 44100, 48000", "[]": notInt}},
		{"channels", []string{"1", "8"}, faults{
			"0": "must not be less than 1", "9": "must not be greater than 8", "-1": "must not be less than 1",
			"1.0000001": notInt}},
		{"custom_metadata", []string{`{}`, `{"a":{"b":[1,null]}}`, metadataOf(2000)}, faults{
			metadataOf(2001): "must not be longer than 2000 characters as JSON", `"x"`: notObject, "[]": notObject}},
		{"model", []string{`"stt-1"`, `"fast"`, `"accurate"`, `"solaria-1"`, `"solaria-2"`, `"solaria-mini-1"`},
			faults{`"stt-9"`: oneModel, "1": notText}},
		{"endpointing", []string{"0.01", "10", "10.0", "1e-2"}, faults{
			"0.00999": "must not be less than 0.01", "10.0001": "must not be greater than 10", `"1"`: notNumber,
			"1e999": notNumber, "-1e999": notNumber, "{}": notNumber}},
		{"maximum_duration_without_endpointing", []string{"5", "60"}, faults{
			"4.999": "must not be less than 5", "60.001": "must not be greater than 60", "false": notNumber}},
		{"language_config", []string{"{}"}, faults{"[]": notObject, `"en"`: notObject}},
		{"language_config.languages", []string{"[]", `["en"]`, `["haw","zh"]`}, faults{`"en"`: notList}},
		{"language_config.code_switching", []string{"true", "false"}, faults{`"true"`: notBool, "1": notBool}},
		{"pre_processing", []string{"{}"}, faults{"true": notObject}},
		{"pre_processing.audio_enhancer", []string{"true"}, faults{"1": notBool}},
		{"pre_processing.speech_threshold", []string{"0", "1", "0.6"}, faults{
			"-0.001": "must not be less than 0", "1.001": "must not be greater than 1"}},
		{"realtime_processing", []string{"{}"}, faults{"0": notObject}},
		{"realtime_processing.custom_vocabulary", []string{"false"}, faults{"0": notBool}},
		{"realtime_processing.custom_vocabulary_config", []string{"{}"}, faults{"[]": notObject}},
		{vocabulary, []string{"[]", `["a"]`, `[{"value":"a"}]`, "[" + strings.Repeat(`"a",`, 999) + `"a"]`}, faults{
			`"a"`: notList, "[" + strings.Repeat(`"a",`, 1000) + `"a"]`: "must not have more than 1000 of them"}},
		{"realtime_processing.custom_vocabulary_config.default_intensity", []string{"0", "1"}, faults{
			"-0.1": "must not be less than 0", "1.1": "must not be greater than 1", `"x"`: notNumber}},
		{"realtime_processing.custom_spelling", []string{"false"}, faults{"[]": notBool}},
		{"realtime_processing.custom_spelling_config.spelling_dictionary", []string{"{}", `{"a":["b"]}`},
			faults{"[]": notObject, `{" ":["b"]}`: "must not have an entry without a name"}},
		{"realtime_processing.custom_spelling_config.spelling_dictionary.a", []string{"[]", `["b","c"]`},
			faults{`"b"`: notList, "null": "must not be null"}},
		{"realtime_processing.translation", []string{"false"}, faults{`""`: notBool}},
		{"realtime_processing.translation_config", []string{"{}"}, faults{"3": notObject}},
		{"realtime_processing.translation_config.target_languages", []string{`["wo"]`},
			faults{"[]": "must have at least 1 item", `"fr"`: notList}},
		{"realtime_processing.translation_config.model", []string{`"base"`, `"batch"`, `"enhanced"`},
			faults{`"best"`: "must be one of base, batch, enhanced"}},
		{"realtime_processing.translation_config.match_original_utterances", []string{"false"}, faults{"0": notBool}},
		{"realtime_processing.translation_config.lipsync", []string{"false"}, faults{"0": notBool}},
		{"realtime_processing.translation_config.context_adaptation", []string{"false"}, faults{"0": notBool}},
		{"realtime_processing.translation_config.context", []string{`""`, `"` + strings.Repeat("é", 10000) + `"`},
			faults{
				`"` + strings.Repeat("é", 10001) + `"`: "must not be longer than 10000 characters", "0": notText}},
		{"realtime_processing.translation_config.informal", []string{"true"}, faults{"0": notBool}},
		{"realtime_processing.named_entity_recognition", []string{"true"}, faults{"0": notBool}},
		{"realtime_processing.sentiment_analysis", []string{"true"}, faults{"0": notBool}},
		{"post_processing", []string{"{}"}, faults{"0": notObject}},
		{"post_processing.summarization", []string{"true"}, faults{"0": notBool}},
		{"post_processing.summarization_config", []string{"{}"}, faults{"0": notObject}},
		{"post_processing.summarization_config.type", []string{`"general"`, `"bullet_points"`, `"concise"`},
			faults{`"long"`: "must be one of general, bullet_points, concise"}},
		{"post_processing.chapterization", []string{"true"}, faults{"0": notBool}},
		{"messages_config", []string{"{}"}, faults{"0": notObject}},
		{"callback", []string{"false"}, faults{"0": notBool}},
		{"callback_config", []string{"{}"}, faults{"0": notObject}},
		{"callback_config.url", []string{`"http://a"`, `"https://a.example:8443/x?y=z"`, `"http://127.0.0.1/"`}, faults{
			`"ftp://a"`: "must be an absolute http or https URL", `"/x"`: "must be an absolute http or https URL",
			`""`: "must be an absolute http or https URL", `"http://"`: "must be an absolute http or https URL",
			`"http://a/` + strings.Repeat("x", 2048) + `"`: "must not be longer than 2048 characters", "1": notText}},
		{"enable_code_switching", []string{"true"}, faults{`"yes"`: notBool}},
		{"code_switching_languages", []string{`["en"]`}, faults{`"en"`: notList}},
		{"code_switching_config.languages", []string{`["en"]`}, faults{`"en"`: notList}},
	} {
		for _, value := range tc.good {
			if _, problem := ParseLive([]byte(nest(tc.path, value))); problem != nil {
				t.Errorf("%s = %.60s: %v", tc.path, value, problem.ValidationErrors)
			}
		}
		for value, rule := range tc.bad {
			expectFaults(t, nest(tc.path, value), tc.path+" "+rule)
		}
	}
	for _, list := range []string{"language_config.languages", "code_switching_languages",
		"code_switching_config.languages"} {
		expectFaults(t, nest(list, `["en","xx","e"]`), list+".1 "+languages, list+".2 "+languages)
		expectFaults(t, nest(list, `["en",null,3]`), list+".1 must not be null", list+".2 must be a string")
	}
	expectFaults(t, nest("language_config.languages", `["wo"]`), "language_config.languages.0 "+languages)
	expectFaults(t, nest("realtime_processing.translation_config.target_languages", `["fr","xx"]`),
		"realtime_processing.translation_config.target_languages.1 must be one of af, am, ar, as, az, ba, be, bg and 92 more")
	expectFaults(t, nest(vocabulary,
		`["", 3, {"intensity":2}, {"value":"a","language":"xx","pronunciations":["b",4]}]`),
		vocabulary+".0 must not be empty", vocabulary+".1 must be a string or an object",
		vocabulary+".2.value must be given", vocabulary+".2.intensity must not be greater than 1",
		vocabulary+".3.pronunciations.1 must be a string", vocabulary+".3.language "+languages)
}

func TestParseLiveFlags(t *testing.T) {
	for _, config := range []string{"messages_config", "callback_config"} {
		for _, flag := range flagNames {
			path := config + "." + flag
			expectFaults(t, nest(path, "1"), path+" must be a boolean")
			for _, value := range []string{"true", "false"} {
				got := params(t, mustParse(t, nest(path, value)))
				var all map[string]map[string]any
				_ = json.Unmarshal([]byte(got), &all) // the other fields are no objects
				if text := fmt.Sprint(all[config][flag]); text != value {
					t.Errorf("%s = %s became %s", path, value, text)
				}
			}
		}
	}
}

// metadataOf is an object of so many characters as JSON, not all of one byte.
func metadataOf(chars int) string {
	return `{"é":"` + strings.Repeat("€", chars-len(`{"e":""}`)) + `"}`
}

func expectFaults(t *testing.T, body string, want ...string) {
	t.Helper()
	r, problem := ParseLive([]byte(body))
	if problem == nil {
		t.Errorf("%.120s: no fault, %+v", body, r)
		return
	}
	if problem.Status != http.StatusBadRequest || !slices.Equal(problem.ValidationErrors, want) {
		t.Errorf("%.120s: got %d %q, want %q", body, problem.Status, problem.ValidationErrors, want)
	}
}

func TestParseLiveNamesAllFaultsAtOnce(t *testing.T) {
	expectFaults(t, `{"endpointing":0.001,"channels":9,"model":"x","language_config":{"languages":["en","xx"]},
		"callback":true,"messages_config":{"receive_errors":"no"},"code_switching_languages":7,
		"realtime_processing":{"translation":true,"translation_config":{"model":"y"}}}`,
		"channels must not be greater than 8",
		"model "+oneModel,
		"endpointing must not be less than 0.01",
		"language_config.languages.1 must be one of af, am, ar, as, az, ba, be, bg and 91 more",
		"realtime_processing.translation_config.model must be one of base, batch, enhanced",
		"messages_config.receive_errors must be a boolean",
		"code_switching_languages must be an array",
		"callback_config.url must be given when callback is true",
		"realtime_processing.translation_config.target_languages must be given when realtime_processing.translation is true",
	)
}

func TestParseLiveNeeds(t *testing.T) {
	for _, tc := range []struct{ body, want string }{
		{`{"callback":true}`, "callback_config.url must be given when callback is true"},
		{`{"callback":true,"callback_config":{"url":null}}`, "callback_config.url must be given when callback is true"},
		{`{"realtime_processing":{"custom_vocabulary":true}}`,
			"realtime_processing.custom_vocabulary_config.vocabulary must be given when realtime_processing.custom_vocabulary is true"},
		{`{"realtime_processing":{"custom_spelling":true,"custom_spelling_config":{}}}`,
			"realtime_processing.custom_spelling_config.spelling_dictionary must be given when realtime_processing.custom_spelling is true"},
		{`{"realtime_processing":{"translation":true}}`,
			"realtime_processing.translation_config.target_languages must be given when realtime_processing.translation is true"},
	} {
		expectFaults(t, tc.body, tc.want)
	}
}

func TestParseLiveFaultsAreBounded(t *testing.T) {
	list := strings.Repeat(`"xx",`, 150) + `"xx"`
	long := strings.Repeat("k", 5000)
	body := `{"language_config":{"languages":[` + list +
		`]},"realtime_processing":{"custom_spelling_config":{"spelling_dictionary":{"` + long + `":1}}}}`
	_, problem := ParseLive([]byte(body))
	if problem == nil || len(problem.ValidationErrors) != maxFaults+1 || problem.ValidationErrors[maxFaults] !=
		"and 103 more" {
		t.Fatalf("got %v", problem)
	}
	_, problem = ParseLive([]byte(nest("realtime_processing.custom_spelling_config.spelling_dictionary."+long, "1")))
	if problem == nil || len(problem.ValidationErrors[0]) > 300 {
		t.Errorf("got %v", problem)
	}
}

func TestParseLiveMalformed(t *testing.T) {
	for _, body := range []string{
		``, ` `, `{`, `{"a":}`, `[]`, `null`, `"x"`, `1`, `{} {}`, `{"endpointing":NaN}`, `{"channels":01}`, `{'a':1}`,
		strings.Repeat("[", 100000), `{"a":` + strings.Repeat("[", 32) + strings.Repeat("]", 32) + `}`,
		`{"a":"` + "\x01" + `"}`, "\xff",
	} {
		_, problem := ParseLive([]byte(body))
		if problem == nil || problem.Status != http.StatusBadRequest || len(problem.ValidationErrors) != 1 {
			t.Errorf("%.40q: %+v", body, problem)
		}
	}
	deepest := `{"a":` + strings.Repeat("[", 31) + strings.Repeat("]", 31) +
		`,"b":"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\"[["}`
	mustParse(t, deepest)
	mustParse(t, "{\"x\xff\":\"\xfe\"}")
}

func TestParseLiveRefusedByMeaning(t *testing.T) {
	for _, model := range []string{"stt-3", "stt-fusion", "solaria-3", "solaria-fusion"} {
		_, problem := ParseLive([]byte(nest("model", `"`+model+`"`)))
		if problem == nil || problem.Status != http.StatusUnprocessableEntity || problem.ValidationErrors != nil {
			t.Errorf("%s: %+v", model, problem)
		}
	}
	expectFaults(t, `{"model":"stt-3","channels":0}`, "channels must not be less than 1")
}

// Every language list of the package is the one of the API, and those that may be translated into
// have wo besides.
func TestLanguageLists(t *testing.T) {
	enum := func(of any, field string) []string {
		f, ok := reflect.TypeOf(of).FieldByName(field)
		if !ok {
			t.Fatalf("no field %s", field)
		}
		return strings.Split(f.Tag.Get("enum"), ",")
	}
	spoken := enum(LanguageConfig{}, "Languages")
	if len(spoken) != 99 || !slices.IsSorted(spoken) {
		t.Errorf("%d languages", len(spoken))
	}
	if !slices.Equal(enum(VocabularyEntry{}, "Language"), spoken) ||
		!slices.Equal(enum(DeprecatedFields{}, "CodeSwitchingLanguages"), spoken) ||
		!slices.Equal(enum(DeprecatedFields{}, "Language"), spoken) ||
		!slices.Equal(enum(ProviderSettings{}, "CodeSwitchingLanguages"), spoken) {
		t.Error("the lists differ")
	}
	if got := enum(TranslationConfig{}, "TargetLanguages"); !slices.Equal(got, append(slices.Clone(spoken), "wo")) {
		t.Error("the target languages differ")
	}
}

func FuzzParseLive(f *testing.F) {
	for _, body := range []string{
		`{}`, defaultParams, `{"callback":true,"callback_config":{"url":"http://a/"}}`,
		`{"encoding":"PCM","bit_depth":8.0}`,
		`{"a":1,"a":2,"channels":3,"channels":null}`, `{"endpointing":1e999}`,
		`{"endpointing":0.01,"custom_metadata":{"\ud800":"\u0000"}}`,
		`{"realtime_processing":{"custom_vocabulary_config":{"vocabulary":["a",{"value":"b"}]},"custom_spelling_config":{"spelling_dictionary":{"a":["b"]}}}}`,
		`{"enable_code_switching":true,"code_switching_config":{"languages":["en"]}}`, `[[[[`,
		`{"channels":1E400000000000000000000}`,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		holdsOfAny(t, body, func(b []byte) (*LiveRequest, *Problem) { return ParseLive(b, tally) })
	})
}

// holdsOfAny wants of any body that it is a request, which is the same when its JSON is read again,
// or a problem that names a fault.
func holdsOfAny[R any](t *testing.T, body []byte, parse func([]byte) (*R, *Problem)) {
	t.Helper()
	r, problem := parse(body)
	if (r == nil) == (problem == nil) {
		t.Fatal("a request, or a problem")
	}
	if problem != nil {
		if problem.Status == http.StatusBadRequest && len(problem.ValidationErrors) == 0 {
			t.Error("no fault named")
		}
		return
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	again, problem := parse(text)
	if problem != nil {
		t.Fatalf("request_params %s: %v", text, problem.ValidationErrors)
	}
	if second, _ := json.Marshal(again); string(second) != string(text) {
		t.Errorf("%s became %s", text, second)
	}
}

package messages

import (
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
)

const recordedDefaults = `{"audio_url":"https://a.example/b.mp3","model":"stt-1","language_config":{"languages":[],"code_switching":false},` +
	`"custom_vocabulary":false,"callback":false,"subtitles":false,"subtitles_config":{"formats":["srt"],"minimum_duration":1,"maximum_duration":7,"maximum_rows_per_caption":2,"style":"default"},` +
	`"diarization":false,"translation":false,"summarization":false,"summarization_config":{"type":"general"},` +
	`"named_entity_recognition":false,"custom_spelling":false,"sentiment_analysis":false,"audio_to_llm":false,` +
	`"pii_redaction":false,"sentences":false,"punctuation_enhanced":false}`

// oneModel names every spelling of a model.
const oneModel = "must be one of stt-1, stt-3, stt-fusion, fast, accurate, solaria-1, solaria-2, solaria-3, solaria-mini-1, solaria-fusion"

// recorded is a request that is sound but for what the value at path does.
func recorded(path, value string) string {
	if path == "audio_url" {
		return nest(path, value)
	}
	return `{"audio_url":"https://a.example/b.mp3",` + nest(path, value)[1:]
}

func mustRecord(t *testing.T, body string) *PreRecordedRequest {
	t.Helper()
	r, problem := ParsePreRecorded([]byte(body))
	if problem != nil {
		t.Fatalf("%.200s: %d %s %q", body, problem.Status, problem.Message, problem.ValidationErrors)
	}
	return r
}

func recordedParams(t *testing.T, body string) string {
	t.Helper()
	text, err := mustRecord(t, body).MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func expectRecordedFaults(t *testing.T, body string, want ...string) {
	t.Helper()
	r, problem := ParsePreRecorded([]byte(body))
	if problem == nil {
		t.Errorf("%.120s: no fault, %+v", body, r)
		return
	}
	if problem.Status != http.StatusBadRequest || !slices.Equal(problem.ValidationErrors, want) {
		t.Errorf("%.120s: got %d %q, want %q", body, problem.Status, problem.ValidationErrors, want)
	}
}

func TestParsePreRecordedDefaults(t *testing.T) {
	for _, body := range []string{
		`{"audio_url":"https://a.example/b.mp3"}`,
		`{"audio_url":"https://a.example/b.mp3","unknown":{"deep":[1]},"model":null,"callback_config":null,"custom_metadata":null,
			"subtitles_config":{"formats":null},"diarization_config":{},"pii_redaction_config":{},"structured_data_extraction":false}`,
	} {
		if got := recordedParams(t, body); got != recordedDefaults {
			t.Errorf("%s: got\n%s\nwant\n%s", body, got, recordedDefaults)
		}
	}
}

func TestParsePreRecordedFull(t *testing.T) {
	const body = `{"audio_url":"http://127.0.0.1:8080/file/45463597-20b7-4af7-b3b3-f5fb778203ab","model":"stt-fusion",` +
		`"language_config":{"languages":["en","haw"],"code_switching":true},` +
		`"custom_vocabulary":true,"custom_vocabulary_config":{"vocabulary":["Steno & <co>",{"value":"Łódź","intensity":0,` +
		`"pronunciations":["woodge"],"language":"pl"}],"default_intensity":0.5},` +
		`"callback_url":"https://a.example/old","callback":true,"callback_config":{"url":"https://a.example/new?a=1&b=2","method":"PUT"},` +
		`"subtitles":true,"subtitles_config":{"formats":["srt","vtt"],"minimum_duration":0.5,"maximum_duration":30,` +
		`"maximum_characters_per_row":42,"maximum_rows_per_caption":2,"style":"compliance"},` +
		`"diarization":true,"diarization_config":{"number_of_speakers":3,"min_speakers":1,"max_speakers":5},` +
		`"translation":true,"translation_config":{"target_languages":["fr","wo"],"model":"enhanced","match_original_utterances":false,` +
		`"lipsync":false,"context_adaptation":false,"context":"a talk","informal":true},` +
		`"summarization":true,"summarization_config":{"type":"concise"},"named_entity_recognition":true,` +
		`"custom_spelling":true,"custom_spelling_config":{"spelling_dictionary":{"Gorish":["ghorish","gaurish"],"SQL":[]}},` +
		`"sentiment_analysis":true,"audio_to_llm":true,"audio_to_llm_config":{"prompts":[["Sum <it> up"],["a",` +
		`{"role":"system","content":"b"}],["c",""]],"model":"x/y"},"pii_redaction":true,"pii_redaction_config":{"entity_types":["PCI"],` +
		`"processed_text_type":"MASK"},"sentences":true,"punctuation_enhanced":true,"chapterization":true,"name_consistency":true,` +
		`"structured_data_extraction":true,"structured_data_extraction_config":{"classes":["price"]},"display_mode":true}`
	given := body[:len(body)-1] + `,"custom_metadata":{"team":"a","n":1.50}}`
	if got := recordedParams(t, given); got != body {
		t.Errorf("got\n%s\nwant\n%s", got, body)
	}
	if got, want := mustRecord(t, given).CustomMetadata,
		(Object{"team": "a", "n": json.Number("1.50")}); !reflect.DeepEqual(got, want) {
		t.Errorf("custom metadata: %v", got)
	}
}

func TestParsePreRecordedSpellings(t *testing.T) {
	for _, tc := range []struct{ path, value, want string }{
		{"model", `"solaria-1"`, `"model":"stt-1"`},
		{"model", `"solaria-2"`, `"model":"stt-1"`},
		{"model", `"solaria-mini-1"`, `"model":"stt-1"`},
		{"model", `"fast"`, `"model":"stt-1"`},
		{"model", `"accurate"`, `"model":"stt-1"`},
		{"model", `"solaria-3"`, `"model":"stt-3"`},
		{"model", `"solaria-fusion"`, `"model":"stt-fusion"`},
		{"diarization_config.number_of_speakers", "2.0", `{"number_of_speakers":2}`},
		{"callback_config.url", `"http://a"`, `"callback_config":{"url":"http://a","method":"POST"}`},
		{"translation_config.target_languages", `["fr"]`,
			`"translation_config":{"target_languages":["fr"],"model":"batch",` +
				`"match_original_utterances":true,"lipsync":true,"context_adaptation":true,"informal":false}`},
		{"subtitles_config.style", `"compliance"`,
			`"subtitles_config":{"formats":["srt"],"minimum_duration":0.834,"maximum_duration":7,"maximum_rows_per_caption":2,"style":"compliance"}`},
		{"subtitles_config.minimum_duration", "40",
			`"subtitles_config":{"formats":["srt"],"minimum_duration":40,"maximum_duration":30,"maximum_rows_per_caption":2,"style":"default"}`},
		{"subtitles_config.minimum_duration", "8.5", `"minimum_duration":8.5,"maximum_duration":8.5,`},
		{"subtitles_config.formats", `["vtt","srt","vtt","srt"]`, `"subtitles_config":{"formats":["vtt","srt"],`},
		{"enable_code_switching", "true", `"language_config":{"languages":[],"code_switching":true}`},
		{"code_switching_languages", `["de"]`, `"language_config":{"languages":[],"code_switching":false}`},
		{"code_switching_languages", `["de"],"enable_code_switching":true`,
			`"language_config":{"languages":["de"],"code_switching":true}`},
		{"code_switching_config", `{"languages":["en","fr"],"code_switching":true}`,
			`"language_config":{"languages":["en","fr"],"code_switching":true}`},
		{"language_config.languages", `["EN","en-US","fr_CA","en_us","nb-NO","zh-Hant-TW","es-419"]`,
			`"languages":["en","fr","no","zh","es"]`},
		{"code_switching_languages", `["DE-at"],"enable_code_switching":true`, `"languages":["de"]`},
		{"translation_config.target_languages", `["FR","fr-CA","wo"]`, `"target_languages":["fr","wo"]`},
		{"custom_vocabulary_config.vocabulary", `[{"value":"a","language":"pt-BR"}]`,
			`"vocabulary":[{"value":"a","language":"pt"}]`},
		{"subtitles_config.formats", `["vtt","srt","vtt"]`, `"formats":["vtt","srt"]`},
		{"audio_to_llm_config.prompts", `"a"`, `"prompts":[["a"]]`},
		{"audio_to_llm_config.prompts", `["a",["b","c"]]`, `"prompts":[["a"],["b","c"]]`},
		{"audio_to_llm_config.prompts", `{"role":"user","content":"a"}`, `"prompts":[[{"role":"user","content":"a"}]]`},
		{"audio_to_llm_config.prompts", `[{"content":"a"}]`, `"prompts":[["a"]]`},
		{"pii_redaction_config.entity_types", `"PCI"`, `"pii_redaction_config":{"entity_types":"PCI"}`},
		{"pii_redaction_config", `{"entity_types":"PCI","processed_text_type":"MARKER"}`,
			`{"entity_types":"PCI","processed_text_type":"MARKER"}`},
		{"pii_redaction_config.entity_types", `["PCI"]`, `"pii_redaction_config":{"entity_types":["PCI"]}`},
		{"pii_redaction_config.entity_types", `[]`, `"pii_redaction_config":{"entity_types":[]}`},
		// defaults that count
		{"pii_redaction", "true", `"pii_redaction_config":{"entity_types":"GDPR","processed_text_type":"MARKER"}`},
		{"pii_redaction_config.entity_types", `[],"processed_text_type":"MASK"},"pii_redaction":true,"x":{"y":1`,
			`"pii_redaction_config":{"entity_types":"GDPR","processed_text_type":"MASK"}`},
		{"pii_redaction_config.entity_types", `["PCI","AGE"]},"pii_redaction":true,"x":{"y":1`,
			`"pii_redaction_config":{"entity_types":["PCI","AGE"],"processed_text_type":"MARKER"}`},
		{"custom_vocabulary_config.vocabulary", `["a"]},"custom_vocabulary":true,"x":{"y":1`,
			`"custom_vocabulary_config":{"vocabulary":["a"],"default_intensity":0.5}`},
	} {
		got := recordedParams(t, recorded(tc.path, tc.value))
		if !strings.Contains(got, tc.want) {
			t.Errorf("%s = %s: %s is not in %s", tc.path, tc.value, tc.want, got)
		}
		if again := recordedParams(t, got); again != got {
			t.Errorf("%s became %s", got, again)
		}
	}
}

func TestCallbacks(t *testing.T) {
	for _, tc := range []struct {
		fields, url, method string
		ok                  bool
	}{
		{`"callback":false`, "", "", false},
		{`"callback":false,"callback_config":{"url":"http://new","method":"PUT"}`, "", "", false},
		{`"callback":true,"callback_config":{"url":"http://new"}`, "http://new", "POST", true},
		{`"callback":true,"callback_config":{"url":"http://new","method":"PUT"}`, "http://new", "PUT", true},
		{`"callback_url":"http://old"`, "http://old", "POST", true},
		{`"callback":true,"callback_url":"http://old"`, "http://old", "POST", true},
		{`"callback_url":"http://old","callback":true,"callback_config":{"url":"http://new","method":"PUT"}`,
			"http://new", "PUT", true},
		{`"callback_url":"http://old","callback_config":{"url":"http://new","method":"PUT"}`, "http://old", "POST",
			true},
	} {
		url, method, ok := mustRecord(t, `{"audio_url":"http://a",`+tc.fields+`}`).Callbacks()
		if ok != tc.ok || ok && (url != tc.url || method != tc.method) {
			t.Errorf("%s: %s %s, %v", tc.fields, method, url, ok)
		}
	}
}

func TestParsePreRecordedNeeds(t *testing.T) {
	for body, want := range map[string]string{
		`{}`:                         "audio_url must be given",
		`{"audio_url":null}`:         "audio_url must be given",
		recorded("callback", "true"): "callback_config.url must be given when callback is true",
		`{"audio_url":"http://a","callback":true,"callback_config":{"method":"PUT"}}`: "callback_config.url must be given when callback is true",
		recorded("custom_vocabulary",
			"true"): "custom_vocabulary_config.vocabulary must be given when custom_vocabulary is true",
		`{"audio_url":"http://a","custom_spelling":true,"custom_spelling_config":{}}`: "custom_spelling_config.spelling_dictionary must be given when custom_spelling is true",
		recorded("translation",
			"true"): "translation_config.target_languages must be given when translation is true",
		`{"audio_url":"http://a","audio_to_llm":true,"audio_to_llm_config":{"prompts":null}}`:     "audio_to_llm_config.prompts must be given when audio_to_llm is true",
		`{"audio_url":"http://a","audio_to_llm":true,"audio_to_llm_config":{"model":"x","x":[]}}`: "audio_to_llm_config.prompts must be given when audio_to_llm is true",
		recorded("structured_data_extraction",
			"true"): "structured_data_extraction_config.classes must be given when structured_data_extraction is true",
		`{"audio_url":"http://a","structured_data_extraction":true,"structured_data_extraction_config":{"x":["a"]}}`: "structured_data_extraction_config.classes must be given when structured_data_extraction is true",
	} {
		expectRecordedFaults(t, body, want)
	}
}

func TestParsePreRecordedOrder(t *testing.T) {
	const subtitles = "subtitles_config.minimum_duration must not be greater than maximum_duration"
	const speakers = "diarization_config.min_speakers must not be greater than max_speakers"
	const tooMany = "diarization_config.number_of_speakers must not be greater than max_speakers"
	const tooFew = "diarization_config.min_speakers must not be greater than number_of_speakers"
	for config, want := range map[string][]string{
		`"subtitles_config":{"minimum_duration":2,"maximum_duration":2}`:                  nil,
		`"subtitles_config":{"minimum_duration":2.1,"maximum_duration":2}`:                {subtitles},
		`"subtitles_config":{"minimum_duration":8}`:                                       nil,
		`"subtitles_config":{"minimum_duration":1000}`:                                    nil,
		`"subtitles_config":{"minimum_duration":1000,"maximum_duration":30}`:              nil,
		`"subtitles_config":{"minimum_duration":1000,"maximum_duration":29}`:              {subtitles},
		`"subtitles_config":{"minimum_duration":20,"maximum_duration":31}`:                {"subtitles_config.maximum_duration must not be greater than 30"},
		`"subtitles_config":{"minimum_duration":5,"maximum_duration":"x"}`:                {"subtitles_config.maximum_duration must be a number"},
		`"diarization_config":{"min_speakers":0,"max_speakers":0}`:                        nil,
		`"diarization_config":{"min_speakers":3,"max_speakers":3}`:                        nil,
		`"diarization_config":{"min_speakers":3,"max_speakers":2}`:                        {speakers},
		`"diarization_config":{"min_speakers":3,"max_speakers":0}`:                        nil,
		`"diarization_config":{"number_of_speakers":9,"max_speakers":2}`:                  {tooMany},
		`"diarization_config":{"number_of_speakers":2,"max_speakers":2,"min_speakers":2}`: nil,
		`"diarization_config":{"number_of_speakers":9,"max_speakers":0,"min_speakers":0}`: nil,
		`"diarization_config":{"number_of_speakers":1,"min_speakers":2}`:                  {tooFew},
		`"diarization_config":{"number_of_speakers":1,"min_speakers":2,"max_speakers":5}`: {tooFew},
		`"diarization_config":{"number_of_speakers":0,"max_speakers":2}`:                  {"diarization_config.number_of_speakers must not be less than 1"},
		`"diarization":true,"diarization_config":{"min_speakers":1000000000}`:             nil,
	} {
		body := `{"audio_url":"http://a",` + config + `}`
		if want == nil {
			mustRecord(t, body)
			continue
		}
		expectRecordedFaults(t, body, want...)
	}
}

// TestParsePreRecordedQuestions refuses questions that are empty, or too long, where they are to be
// asked.
func TestParsePreRecordedQuestions(t *testing.T) {
	half := strings.Repeat("x", 50_000)
	const prompts, classes = "audio_to_llm_config.prompts", "structured_data_extraction_config.classes"
	for config, want := range map[string][]string{
		`"audio_to_llm_config":{"prompts":[["a"],["b",""]]}`: nil,
		`"audio_to_llm_config":{"prompts":[[]]}`: {prompts +
			".0 must not be empty"},
		`"audio_to_llm_config":{"prompts":""}`: {prompts +
			".0 must not be empty"},
		`"audio_to_llm_config":{"prompts":[["a"],[""," "],["\n"]]}`: {prompts +
			".1 must not be empty", prompts + ".2 must not be empty"},
		`"audio_to_llm_config":{"prompts":[[{"role":"user","content":" "}]]}`: {prompts +
			".0 must not be empty"},
		`"audio_to_llm_config":{"prompts":[[""],[1]]}`: {prompts +
			".1.0 must be a string or an object"},
		`"audio_to_llm_config":{"prompts":[["` + half + `","` + half + `"]]}`: {prompts +
			".0 must not be longer than 100000 characters"},
		`"audio_to_llm_config":{"prompts":"a"},"structured_data_extraction_config":{"classes":["a"," "]}`: {classes +
			".1 must not be empty"},
		`"audio_to_llm_config":{"prompts":[]},"structured_data_extraction_config":{"classes":[]}`: {
			prompts + " must have at least 1 item", classes + " must have at least 1 item"},
	} {
		if !strings.Contains(config, "classes") {
			config += `,"structured_data_extraction_config":{"classes":["a"]}`
		}
		body := `{"audio_url":"http://a",` + config + `,"audio_to_llm":true,"structured_data_extraction":true}`
		if want == nil {
			mustRecord(t, body)
			continue
		}
		expectRecordedFaults(t, body, want...)
	}
	mustRecord(t, recorded(prompts, `[[""]]`)) // the add-on is off
}

func TestParsePreRecordedNamesAllFaultsAtOnce(t *testing.T) {
	expectRecordedFaults(t, `{"audio_url":"file:///etc/passwd","model":"stt-9","language_config":{"languages":["xx"],"code_switching":1},
		"subtitles_config":{"formats":[],"minimum_duration":-1,"maximum_duration":31,"maximum_rows_per_caption":6,"style":"x"},
		"diarization_config":{"number_of_speakers":0,"min_speakers":4,"max_speakers":3},"callback":true,"translation":true,
		"audio_to_llm_config":{"prompts":[]},"pii_redaction_config":{"entity_types":["PCI","pci"],"processed_text_type":"x"},
		"custom_metadata":[],"code_switching_languages":7}`,
		"audio_url must be an absolute http or https URL",
		"model "+oneModel,
		"language_config.languages.0 "+oneLanguage,
		"language_config.code_switching must be a boolean",
		"subtitles_config.formats must have at least 1 item",
		"subtitles_config.minimum_duration must not be less than 0",
		"subtitles_config.maximum_duration must not be greater than 30",
		"subtitles_config.maximum_rows_per_caption must not be greater than 5",
		"subtitles_config.style must be one of default, compliance",
		"diarization_config.number_of_speakers must not be less than 1",
		"audio_to_llm_config.prompts must have at least 1 item",
		"pii_redaction_config.entity_types.1 "+onePII,
		"pii_redaction_config.processed_text_type must be one of MARKER, MASK",
		"custom_metadata must be an object",
		"code_switching_languages must be an array",
		"callback_config.url must be given when callback is true",
		"translation_config.target_languages must be given when translation is true",
		"diarization_config.min_speakers must not be greater than max_speakers",
	)
}

func TestParsePreRecordedModels(t *testing.T) {
	const list = "model stt-3 supports only the languages en, fr, de, es, it, not "
	const switching = "model stt-3 does not support language_config.code_switching"
	for fields, want := range map[string]string{
		`"model":"stt-3"`: "",
		`"model":"stt-3","language_config":{"languages":["en","fr","de","es","it"]}`:                "",
		`"model":"stt-3","language_config":{"languages":["it","pt","xh"],"code_switching":false}`:   "",
		`"model":"stt-3","language_config":{"languages":["it","pt","nl"]}`:                          "",
		`"model":"stt-3","language_config":{"languages":["pt","nl"]}`:                               list + "pt, nl",
		`"model":"stt-3","language_config":{"languages":["en","fr"],"code_switching":true}`:         switching,
		`"model":"stt-3","language_config":{"languages":["en","en-US"],"code_switching":true}`:      "",
		`"model":"solaria-3","code_switching_languages":["ja"]`:                                     "",
		`"model":"stt-3","language_config":{"code_switching":true}`:                                 switching,
		`"model":"stt-3","language_config":{"languages":["en"],"code_switching":true}`:              "",
		`"model":"stt-3","enable_code_switching":true,"code_switching_config":{"languages":["nl"]}`: list + "nl",
		`"model":"stt-1","language_config":{"languages":["pt","nl"],"code_switching":true}`:         "",
		`"model":"stt-fusion","language_config":{"languages":["pt"],"code_switching":true}`:         "",
	} {
		_, problem := ParsePreRecorded([]byte(`{"audio_url":"http://a",` + fields + `}`))
		switch {
		case strings.Contains(fields, `"xh"`): // no language of the API at all: that is reported first
			if problem == nil || problem.Status != http.StatusBadRequest {
				t.Errorf("%s: %+v", fields, problem)
			}
		case want == "" && problem != nil:
			t.Errorf("%s: %+v", fields, problem)
		case want != "" && (problem == nil || problem.Status != http.StatusUnprocessableEntity || problem.Message !=
			want || problem.ValidationErrors != nil):
			t.Errorf("%s: got %+v, want %s", fields, problem, want)
		}
	}
}

func TestParsePreRecordedMalformed(t *testing.T) {
	for _, body := range []string{``, `{`, `[]`, `null`, `{"audio_url":"http://a"}{}`, strings.Repeat("[", 100000)} {
		_, problem := ParsePreRecorded([]byte(body))
		if problem == nil || problem.Status != http.StatusBadRequest || len(problem.ValidationErrors) != 1 {
			t.Errorf("%.40q: %+v", body, problem)
		}
	}
}

func TestPromptText(t *testing.T) {
	config := mustRecord(t, recorded("audio_to_llm_config.prompts",
		`[["a",{"role":"user","content":"b"}],[],"c"]`)).AudioToLLMConfig
	for i, want := range []string{"a\nb", "", "c"} {
		if got := config.Prompts[i].Text(); got != want {
			t.Errorf("prompt %d: %q, want %q", i, got, want)
		}
	}
	if text, err := json.Marshal([]Prompt{nil}); err != nil || string(text) != "[[]]" {
		t.Errorf("%s, %v", text, err)
	}
}

func TestParseUpload(t *testing.T) {
	r, problem := ParseUpload([]byte(`{"audio_url":"https://a.example/b.mp3","x":1}`))
	if problem != nil || r.AudioURL != "https://a.example/b.mp3" {
		t.Errorf("%+v, %+v", r, problem)
	}
	for body, want := range map[string]string{
		`{}`: "audio_url must be given", `{"audio_url":"b.mp3"}`: "audio_url must be an absolute http or https URL",
		`{"audio_url":7}`: "audio_url must be a string", `x`: "the body must be valid JSON: wrong at byte 1",
	} {
		if _, problem := ParseUpload([]byte(body)); problem == nil || problem.Status != 400 ||
			!slices.Equal(problem.ValidationErrors, []string{want}) {
			t.Errorf("%s: %+v", body, problem)
		}
	}
}

func FuzzParsePreRecorded(f *testing.F) {
	for _, body := range []string{
		`{}`, recordedDefaults, `{"audio_url":"http://a","model":"stt-3","language_config":{"languages":["pt"]}}`,
		`{"audio_url":"http://a","audio_to_llm_config":{"prompts":["a",[],["b",{"role":"user","content":"\ud800"}]]}}`,
		`{"audio_url":"http://a","audio_to_llm_config":{"prompts":{"content":""}},"pii_redaction_config":{"entity_types":"PCI"}}`,
		`{"audio_url":"http://a","pii_redaction_config":{"entity_types":["PCI"],"entity_types":"AGE"},"diarization_config":{"max_speakers":1e15}}`,
		`{"audio_url":"http://a","subtitles_config":{"minimum_duration":1e-7,"formats":["vtt"]},"structured_data_extraction_config":{"classes":["a"]}}`,
		`{"audio_url":"http://a","code_switching_languages":["de"],"callback_url":"http://b","custom_metadata":{"a":1e999}}`,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		holdsOfAny(t, body, func(b []byte) (*PreRecordedRequest, *Problem) { return ParsePreRecorded(b, tally) })
	})
}

// fieldPaths are the dotted paths of all fields of a request, but for those of the items of arrays.
func fieldPaths(of reflect.Type, prefix string, into map[string]bool) {
	if of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	if of.Kind() != reflect.Struct {
		return
	}
	for f := range of.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous {
			fieldPaths(f.Type, prefix, into)
		} else if name != "" && name != "-" {
			into[join(prefix, name)] = true
			fieldPaths(f.Type, join(prefix, name), into)
		}
	}
}

// Nothing that may be asked for is left out of the table of edges.
func TestRecordedEdgesAreComplete(t *testing.T) {
	want, got := map[string]bool{}, map[string]bool{}
	fieldPaths(reflect.TypeFor[PreRecordedRequest](), "", want)
	fieldPaths(reflect.TypeFor[DeprecatedFields](), "", want)
	for _, e := range recordedEdges() {
		got[e.path] = true
	}
	for path := range want {
		if !got[path] {
			t.Errorf("%s is not in the table", path)
		}
	}
	if !want["audio_to_llm_config.prompts"] || !want["code_switching_config.languages"] {
		t.Error("the walk misses configs")
	}
}

// The request of the session that recognizes a recording is what ParseLive reads where a client
// asks for the same.
func TestLiveRequestOfRecording(t *testing.T) {
	recorded, problem := ParsePreRecorded([]byte(`{"audio_url":"http://a/b","diarization":true,
		"language_config":{"languages":["en","de"],"code_switching":true},
		"custom_vocabulary":true,"custom_vocabulary_config":{"vocabulary":["Norland",{"value":"Dashwood","intensity":0.9}]},
		"custom_spelling":true,"custom_spelling_config":{"spelling_dictionary":{"Mister":["mr"]}}}`))
	if problem != nil {
		t.Fatal(problem)
	}
	got := recorded.Live()
	got.Encoding, got.BitDepth, got.SampleRate, got.Channels = "wav/alaw", 8, 8000, 2
	want, problem := ParseLive([]byte(`{"encoding":"wav/alaw","bit_depth":8,"sample_rate":8000,"channels":2,
		"endpointing":0.35,"maximum_duration_without_endpointing":20,
		"language_config":{"languages":["en","de"],"code_switching":true},"realtime_processing":{
		"custom_vocabulary":true,"custom_vocabulary_config":{"vocabulary":["Norland",{"value":"Dashwood","intensity":0.9}]},
		"custom_spelling":true,"custom_spelling_config":{"spelling_dictionary":{"Mister":["mr"]}}}}`))
	if problem != nil {
		t.Fatal(problem)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// A request built as a value is what ParsePreRecorded reads.
func TestNewPreRecordedRequest(t *testing.T) {
	want, problem := ParsePreRecorded([]byte(`{"audio_url":"http://a/b","language_config":{"languages":["en","de"],"code_switching":true}}`))
	if problem != nil {
		t.Fatal(problem)
	}
	if got := NewPreRecordedRequest("http://a/b", want.LanguageConfig); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

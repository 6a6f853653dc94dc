package messages

import (
	"strings"
	"testing"
)

// The codes of the API, written down apart from the tags that are to be held against them.
const (
	languageCodes = "af am ar as az ba be bg bn bo br bs ca cs cy da de el en es et eu fa fi fo fr gl gu ha haw he hi hr ht hu hy id is it ja jw ka kk km kn ko la lb ln lo lt lv mg mi mk ml mn mr ms mt my ne nl nn no oc pa pl ps pt ro ru sa sd si sk sl sn so sq sr su sv sw ta te tg th tk tl tr tt uk ur uz vi yi yo zh"
	piiTypes      = "APPI APPI_SENSITIVE CCI CORE_ENTITIES CPRA GDPR GDPR_SENSITIVE HEALTH_INFORMATION HIPAA_SAFE_HARBOR LIDI NUMERICAL_EXCL_PCI PCI QUEBEC_PRIVACY_ACT ACCOUNT_NUMBER AGE DATE DATE_INTERVAL DOB DRIVER_LICENSE DURATION EMAIL_ADDRESS EVENT FILENAME GENDER HEALTHCARE_NUMBER IP_ADDRESS LANGUAGE LOCATION LOCATION_ADDRESS LOCATION_ADDRESS_STREET LOCATION_CITY LOCATION_COORDINATE LOCATION_COUNTRY LOCATION_STATE LOCATION_ZIP MARITAL_STATUS MONEY NAME NAME_FAMILY NAME_GIVEN NAME_MEDICAL_PROFESSIONAL NUMERICAL_PII OCCUPATION ORGANIZATION ORGANIZATION_MEDICAL_FACILITY ORIGIN PASSPORT_NUMBER PASSWORD PHONE_NUMBER PHYSICAL_ATTRIBUTE POLITICAL_AFFILIATION RELIGION SEXUALITY SSN TIME URL USERNAME VEHICLE_ID ZODIAC_SIGN BLOOD_TYPE CONDITION DOSE DRUG INJURY MEDICAL_PROCESS STATISTICS BANK_ACCOUNT CREDIT_CARD CREDIT_CARD_EXPIRATION CVV ROUTING_NUMBER CORPORATE_ACTION DAY EFFECT FINANCIAL_METRIC MEDICAL_CODE MONTH ORGANIZATION_ID PRODUCT PROJECT TREND YEAR"

	oneLanguage       = "must be one of af, am, ar, as, az, ba, be, bg and 91 more"
	oneLanguageOrNone = "must be one of af, am, ar, as, az, ba, be, bg and 92 more" // or empty
	oneTarget         = "must be one of af, am, ar, as, az, ba, be, bg and 92 more"
	onePII            = "must be one of APPI, APPI_SENSITIVE, CCI, CORE_ENTITIES, CPRA, GDPR, GDPR_SENSITIVE, HEALTH_INFORMATION and 74 more"
)

// edge is a field with values just inside of what is allowed, and just outside with the rule that
// they break. Where a rule names a path of its own, it begins with a dot and continues the field's.
type edge struct {
	path string
	good []string
	bad  map[string]string
}

// quoted are JSON strings of the words of a text.
func quoted(text string) []string {
	var all []string
	for word := range strings.FieldsSeq(text) {
		all = append(all, `"`+word+`"`)
	}
	return all
}

// lists are arrays of one item each, and one of all.
func lists(items []string) []string {
	all := []string{"[" + strings.Join(items, ",") + "]"}
	for _, item := range items {
		all = append(all, "["+item+"]")
	}
	return all
}

// arrayOf is an array of n times the item.
func arrayOf(n int, item string) string {
	return "[" + strings.TrimSuffix(strings.Repeat(item+",", n), ",") + "]"
}

func chars(n int) string { return `"` + strings.Repeat("é", n) + `"` }

const (
	ruleBool, ruleInt, ruleNumber = "must be a boolean", "must be an integer", "must be a number"
	ruleText, ruleList, ruleTree  = "must be a string", "must be an array", "must be an object"
	ruleTrack                     = `must be an integer from 0 to 999, or "all"`
	ruleURL                       = "must be an absolute http or https URL"
)

// switchEdges are those of the fields that are true or false.
func switchEdges() []edge {
	var all []edge
	for name := range strings.FieldsSeq(`custom_vocabulary callback subtitles diarization translation summarization named_entity_recognition
		custom_spelling sentiment_analysis audio_to_llm pii_redaction sentences punctuation_enhanced chapterization name_consistency
		structured_data_extraction display_mode store_audio store_transcripts enable_code_switching detect_language strict language_config.code_switching code_switching_config.code_switching
		translation_config.match_original_utterances translation_config.lipsync translation_config.context_adaptation
		translation_config.informal pii_redaction_config.best_effort`) {
		e := edge{name, []string{"false", "null"}, map[string]string{`"true"`: ruleBool, "1": ruleBool, "[]": ruleBool}}
		switch name {
		case "custom_vocabulary": // may be an array, as it was
			delete(e.bad, "[]")
			e.good = append(e.good, "[]", `["a"]`)
		// need a config when on
		case "callback", "translation", "custom_spelling", "audio_to_llm", "structured_data_extraction":
		default:
			e.good = append(e.good, "true")
		}
		all = append(all, e)
	}
	for name := range strings.FieldsSeq(`language_config custom_vocabulary_config callback_config subtitles_config diarization_config
		translation_config summarization_config custom_spelling_config audio_to_llm_config pii_redaction_config
		structured_data_extraction_config custom_metadata code_switching_config`) {
		all = append(all, edge{name, []string{"{}", "null", `{"x":1}`}, map[string]string{"[]": ruleTree,
			"true": ruleTree, `"x"`: ruleTree}})
	}
	return all
}

// languageEdges are those of the fields that take codes of languages.
func languageEdges() []edge {
	var all []edge
	for _, path := range []string{"language_config.languages", "code_switching_languages",
		"code_switching_config.languages"} {
		all = append(all, edge{path, append(lists(quoted(languageCodes)), "[]"), map[string]string{
			`"en"`: ruleList, `["xx"]`: ".0 " + oneLanguage, `["english"]`: ".0 " + oneLanguage, `["en-"]`: ".0 " +
				oneLanguage, `["wo"]`: ".0 " + oneLanguage, `["en",""]`: ".1 " + oneLanguage,
			`["en",null]`: ".1 must not be null", `[1]`: ".0 must be a string",
			arrayOf(201, `"en"`): "must not have more than 200 of them"}})
	}
	return append(all,
		edge{"language", append(quoted(languageCodes), `"EN-us"`, `""`, "null"), map[string]string{
			`"xx"`: oneLanguageOrNone, `"english"`: oneLanguageOrNone, "1": ruleText, `["en"]`: ruleText}},
		edge{"audio_track", []string{"0", "1.0", "999", `"all"`, "null"}, map[string]string{
			"-1": ruleTrack, "0.5": ruleTrack, "1000": ruleTrack, `"1"`: ruleTrack, `"ALL"`: ruleTrack,
			`""`: ruleTrack, "[0]": ruleTrack, "true": ruleTrack}},
		edge{"transcription_settings", []string{"{}", `{"x":{"y":1}}`}, map[string]string{"[]": ruleTree,
			`{"x":[]}`: ".x " + ruleTree, `{"x":null}`: ".x must not be null"}},
		edge{"translation_config.target_languages", lists(quoted(languageCodes + " wo")), map[string]string{
			"[]": "must have at least 1 item", `"fr"`: ruleList, `["fr","xx"]`: ".1 " + oneTarget, `["fr_"]`: ".0 " +
				oneTarget}},
	)
}

func vocabularyEdges() []edge {
	vocabulary := "custom_vocabulary_config.vocabulary"
	return []edge{
		{vocabulary, []string{
			"[]", `["a"]`, `[{"value":"a"}]`,
			`[{"value":"a","intensity":0},{"value":"b","intensity":1,"pronunciations":[]}]`, arrayOf(1000, `"a"`),
		}, map[string]string{
			`"a"`: ruleList, arrayOf(1001, `"a"`): "must not have more than 1000 of them",
			`[{}]`:                                  ".0.value must be given",
			`[{"value":"a","intensity":-0.001}]`:    ".0.intensity must not be less than 0",
			`["b",{"value":"a","intensity":1.001}]`: ".1.intensity must not be greater than 1",
			`[{"value":"a","intensity":"1"}]`:       ".0.intensity must be a number",
			`[{"value":"a","pronunciations":"b"}]`:  ".0.pronunciations must be an array",
			`[{"value":"a","pronunciations":[1]}]`:  ".0.pronunciations.0 must be a string",
			`[{"value":"a","pronunciations":[` + chars(501) +
				`]}]`: ".0.pronunciations.0 must not be longer than 500 characters",
			`[{"value":1}]`: ".0.value must be a string",
			`[1]`:           ".0 must be a string or an object", `[""]`: ".0 must not be empty",
			`[{"value":"a","language":"wo"}]`: ".0.language " + oneLanguage}},
		{"custom_vocabulary_config.default_intensity", []string{"0", "1", "0.5"}, map[string]string{
			"-0.001": "must not be less than 0", "1.001": "must not be greater than 1", `"1"`: ruleNumber,
			"true": ruleNumber}},
		{"custom_spelling_config.spelling_dictionary", []string{"{}", `{"a":["b","c"],"d":[]}`, "{" + chars(500) +
			":[" + chars(500) + "]}"}, map[string]string{
			`{"a":[` + chars(501) + `]}`: ".a.0 must not be longer than 500 characters",
			"{" + chars(501) + `:[]}`: "." + strings.Repeat("é", 40) +
				"… must not have a name of more than 500 characters",
			`{"":["b"]}`:     "must not have an entry without a name",
			`{"a":["b",""]}`: ".a.1 must not be empty", `{"a":[" "]}`: ".a.0 must not be empty",
			"[]": ruleTree, `{"a":"b"}`: ".a must be an array", `{"a":[1]}`: ".a.0 must be a string",
			`{"a":null}`: ".a must not be null"}},
	}
}

func captionEdges() []edge {
	return []edge{
		{"subtitles_config.formats", []string{`["srt"]`, `["vtt"]`, `["srt","vtt"]`, arrayOf(1000, `"srt"`)},
			map[string]string{
				"[]": "must have at least 1 item", `["txt"]`: ".0 must be one of srt, vtt",
				`["srt","SRT"]`: ".1 must be one of srt, vtt", `"srt"`: ruleList}},
		{"subtitles_config.minimum_duration", []string{"0", "0.001", "30", "30.001", "7200", "1e300"},
			map[string]string{
				"-0.001": "must not be less than 0", `"0"`: ruleNumber}},
		{"subtitles_config.maximum_duration", []string{"1", "30", "30.0"}, map[string]string{
			"0.999": "must not be less than 1", "30.001": "must not be greater than 30", `"1"`: ruleNumber}},
		{"subtitles_config.maximum_characters_per_row", []string{"1", "1000"},
			map[string]string{"0": "must not be less than 1", "1.5": ruleInt}},
		{"subtitles_config.maximum_rows_per_caption", []string{"1", "5", "2.0"}, map[string]string{
			"0": "must not be less than 1", "6": "must not be greater than 5", "4.5": ruleInt}},
		{"subtitles_config.style", []string{`"default"`, `"compliance"`},
			map[string]string{`"x"`: "must be one of default, compliance", "1": ruleText}},
		{"diarization_config.number_of_speakers", []string{"1", "50"},
			map[string]string{"0": "must not be less than 1", "1.5": ruleInt, `"2"`: ruleInt}},
		{"diarization_config.min_speakers", []string{"0", "7"}, map[string]string{"-1": "must not be less than 0",
			"0.5": ruleInt}},
		{"diarization_config.max_speakers", []string{"0", "7"}, map[string]string{"-1": "must not be less than 0",
			"1e999": ruleInt}},
	}
}

// recordedEdges is the whole table.
func recordedEdges() []edge {
	all := append(append(switchEdges(), languageEdges()...), append(vocabularyEdges(), captionEdges()...)...)
	for _, path := range []string{"audio_url", "callback_url", "callback_config.url"} {
		limit, tooLong := 2048, "must not be longer than 2048 characters"
		if path == "audio_url" {
			limit, tooLong = 8192, "must not be longer than 8192 characters"
		}
		address := func(n int) string { return `"http://a/` + strings.Repeat("x", n-len("http://a/")) + `"` }
		all = append(all, edge{path, []string{`"http://a"`, `"https://a.example:8443/x?y=z#t"`,
			`"http://[::1]/file/x"`, address(limit)}, map[string]string{
			`"ftp://a"`: ruleURL, `"file:///etc/passwd"`: ruleURL, `"/file/x"`: ruleURL, `""`: ruleURL,
			`"http://"`: ruleURL, `"data:audio/wav;base64,"`: ruleURL,
			`"http://a b/"`: ruleURL, "1": ruleText, address(limit + 1): tooLong}})
	}
	return append(all,
		edge{"custom_metadata", []string{`{"a":{"b":[1,null]}}`, metadataOf(2000)},
			map[string]string{metadataOf(2001): "must not be longer than 2000 characters as JSON"}},
		edge{"model", quoted("stt-1 stt-3 stt-fusion fast accurate solaria-1 solaria-2 solaria-3 solaria-mini-1 solaria-fusion"), map[string]string{
			`"stt-2"`: oneModel, `""`: oneModel, "1": ruleText}},
		edge{"callback_config.method", quoted("POST PUT"), map[string]string{`"GET"`: "must be one of POST, PUT",
			`"post"`: "must be one of POST, PUT", "1": ruleText}},
		edge{"translation_config.model", quoted("base batch enhanced"),
			map[string]string{`"best"`: "must be one of base, batch, enhanced"}},
		edge{"translation_config.context", []string{`""`, chars(10000)},
			map[string]string{chars(10001): "must not be longer than 10000 characters", "0": ruleText}},
		edge{"summarization_config.type", quoted("general bullet_points concise"),
			map[string]string{`"long"`: "must be one of general, bullet_points, concise"}},
		edge{"audio_to_llm_config.prompts", []string{
			`[["a"]]`, `[[]]`, `["a"]`, `"a"`, `[["a",{"role":"system","content":"b"}],[{"content":"c"}]]`,
			arrayOf(100, `["a"]`), "[" + arrayOf(100, `"a"`) + "]",
		}, map[string]string{
			"[]": "must have at least 1 item", arrayOf(101, `["a"]`): "must not have more than 100 of them",
			"[" + arrayOf(101, `"a"`) + "]":    ".0 must not have more than 100 of them",
			`[["a",1]]`:                        ".0.1 must be a string or an object",
			`[["a"],[null]]`:                   ".1.0 must not be null",
			`[[{"role":"user"}]]`:              ".0.0.content must be given",
			`[[{"role":"god","content":"a"}]]`: ".0.0.role must be one of system, user, assistant",
			`[1]`:                              ".0 must be a string or an object",
			"[[" + chars(100001) + "]]":        ".0.0 must not be longer than 100000 characters"}},
		edge{"audio_to_llm_config.model", []string{`"x/y"`, chars(200)}, map[string]string{`""`: "must not be empty",
			chars(201): "must not be longer than 200 characters", "1": ruleText}},
		edge{"pii_redaction_config.entity_types", append(append(quoted(piiTypes), lists(quoted(piiTypes))...), "[]"),
			map[string]string{
				`"SHOE_SIZE"`: onePII, `"pci"`: onePII, `["PCI","SHOE_SIZE"]`: ".1 " + onePII, "1": ruleText,
				`[null]`: ".0 must not be null", "{}": ruleText}},
		edge{"pii_redaction_config.processed_text_type", quoted("MARKER MASK"),
			map[string]string{`"mask"`: "must be one of MARKER, MASK"}},
		edge{"structured_data_extraction_config.classes", []string{`["a"]`, arrayOf(100, `"a"`)}, map[string]string{
			"[]": "must have at least 1 item", `"a"`: ruleList, `["a",""]`: ".1 must not be empty",
			arrayOf(101, `"a"`): "must not have more than 100 of them"}},
	)
}

// TestRecordedEdges holds every field's edges: what is just inside passes, what is just outside is
// named.
func TestRecordedEdges(t *testing.T) {
	for _, e := range recordedEdges() {
		for _, value := range e.good {
			mustRecord(t, recorded(e.path, value))
		}
		for value, rule := range e.bad {
			if !strings.HasPrefix(rule, ".") {
				rule = " " + rule
			}
			expectRecordedFaults(t, recorded(e.path, value), e.path+rule)
		}
	}
}

func TestVocabularyLanguages(t *testing.T) {
	for _, code := range quoted(languageCodes) {
		mustRecord(t, recorded("custom_vocabulary_config.vocabulary", `[{"value":"a","language":`+code+`}]`))
	}
}

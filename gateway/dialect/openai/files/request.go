package files

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"steno/gateway/dialect/openai"
	"steno/gateway/web"
	"steno/messages"
)

// task is what an operation does with the speech.
type task string

const (
	transcribe task = "transcribe"
	translate  task = "translate" // into English
)

// formats are the forms of an answer.
var formats = []string{"json", "text", "srt", "verbose_json", "vtt", "diarized_json"}

// request is what a client asks for.
type request struct {
	task        task
	model       string
	languages   messages.List[string]
	vocabulary  *messages.CustomVocabularyConfig
	format      string
	temperature float64
	words       bool // verbose_json has words
	segments    bool // verbose_json has segments
	logprobs    bool
	speakers    bool
	stream      bool
}

// parse reads the fields of a form. Lists may have "[]" after their names. What is not known is
// ignored, as clients send what other servers take.
func parse(t task, fields map[string][]string) (request, error) {
	q := request{task: t, format: "json"}
	f := form(fields)
	var err error
	if q.model, q.speakers, err = openai.Model(f.one("model")); err != nil {
		return q, err
	}
	if q.languages, err = languagesOf(f); err != nil {
		return q, err
	}
	q.vocabulary = openai.Vocabulary(f.one("prompt"), f.all("keywords")...)
	if format := f.one("response_format"); format != "" {
		q.format = format
	}
	if !slices.Contains(formats, q.format) || t == translate && q.format == "diarized_json" {
		return q, openai.Invalid("response_format", fmt.Sprintf("must be one of %s, not %q",
			strings.Join(formats, ", "), web.Shorten(q.format)))
	}
	q.speakers = q.speakers || q.format == "diarized_json"
	if err := q.readDetails(f); err != nil {
		return q, err
	}
	return q, q.readSwitches(f)
}

// languagesOf reads the language, or languages, of the speech.
func languagesOf(f form) (messages.List[string], error) {
	if language := f.one("language"); language != "" {
		return openai.Languages("language", language)
	}
	return openai.Languages("languages", f.all("languages")...)
}

// readDetails reads what verbose answers have.
func (q *request) readDetails(f form) error {
	granularities := f.all("timestamp_granularities")
	for _, g := range granularities {
		switch g {
		case "word":
			q.words = true
		case "segment":
			q.segments = true
		default:
			return openai.Invalid("timestamp_granularities", "must be word or segment")
		}
	}
	q.segments = q.segments || len(granularities) == 0
	for _, name := range f.all("include") {
		if name != "logprobs" {
			return openai.Invalid("include", "must be logprobs")
		}
		q.logprobs = true
	}
	return nil
}

// readSwitches reads the number and the truth value among the fields.
func (q *request) readSwitches(f form) (err error) {
	if text := f.one("temperature"); text != "" {
		q.temperature, err = strconv.ParseFloat(text, 64)
		if err != nil || !(q.temperature >= 0 && q.temperature <= 2) {
			return openai.Invalid("temperature", "must be a number from 0 to 2")
		}
	}
	if text := f.one("stream"); text != "" {
		if q.stream, err = strconv.ParseBool(text); err != nil {
			return openai.Invalid("stream", "must be true or false")
		}
	}
	return nil
}

// job returns the job that does what is asked for.
func (q request) job() *messages.PreRecordedRequest {
	r := messages.NewPreRecordedRequest("", messages.LanguageConfig{Languages: q.languages})
	r.Model, r.Diarization = q.model, q.speakers
	r.CustomVocabulary, r.CustomVocabularyConfig = q.vocabulary != nil, q.vocabulary
	if q.format == "srt" || q.format == "vtt" {
		r.Subtitles, r.SubtitlesConfig.Formats = true, messages.List[string]{q.format}
	}
	if q.task == translate {
		r.Translation = true
		r.TranslationConfig = &messages.TranslationConfig{TargetLanguages: messages.List[string]{"en"}, Model: "batch",
			MatchOriginalUtterances: true, ContextAdaptation: true}
	}
	return r
}

// form holds the fields of a form.
type form map[string][]string

// all returns the values of a list, one by one or under a name with brackets, without empty ones.
func (f form) all(name string) (values []string) {
	for _, v := range slices.Concat(f[name], f[name+"[]"]) {
		if v != "" {
			values = append(values, v)
		}
	}
	return values
}

// one returns the last value of a field; empty: there is none.
func (f form) one(name string) string {
	if values := f.all(name); len(values) > 0 {
		return strings.TrimSpace(values[len(values)-1])
	}
	return ""
}

// noFile is the problem of a request without a file.
func noFile() error {
	return openai.Fault(http.StatusBadRequest, "file", "missing_required_parameter",
		"file must be given, in a form (multipart/form-data)")
}

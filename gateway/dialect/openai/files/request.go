package files

import (
	"fmt"
	"net/http"
	"slices"
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

// parse reads the fields of a form.
func parse(t task, fields map[string][]string) (request, error) {
	q := request{task: t, format: "json"}
	f, err := readForm(fields)
	if err != nil {
		return q, err
	}
	if q.model, q.speakers, err = openai.Model(f.Model); err != nil {
		return q, err
	}
	if q.languages, err = f.languages(); err != nil {
		return q, err
	}
	q.vocabulary, q.stream = openai.Vocabulary(f.Prompt, f.Keywords...), f.Stream
	if f.Format != "" {
		q.format = f.Format
	}
	if !slices.Contains(formats, q.format) || t == translate && q.format == "diarized_json" {
		return q, openai.Invalid("response_format", fmt.Sprintf("must be one of %s, not %q",
			strings.Join(formats, ", "), web.Shorten(q.format)))
	}
	q.speakers = q.speakers || q.format == "diarized_json"
	if q.temperature = f.Temperature; !(q.temperature >= 0 && q.temperature <= 2) {
		return q, openai.Invalid("temperature", "must be a number from 0 to 2")
	}
	return q, q.readDetails(f)
}

// languages are those of the speech.
func (f *form) languages() (messages.List[string], error) {
	if f.Language != "" {
		return openai.Languages("language", f.Language)
	}
	return openai.Languages("languages", f.Languages...)
}

// readDetails reads what verbose answers have.
func (q *request) readDetails(f form) error {
	for _, g := range f.Granularities {
		switch g {
		case "word":
			q.words = true
		case "segment":
			q.segments = true
		default:
			return openai.Invalid("timestamp_granularities", "must be word or segment")
		}
	}
	q.segments = q.segments || len(f.Granularities) == 0
	for _, name := range f.Include {
		if name != "logprobs" {
			return openai.Invalid("include", "must be logprobs")
		}
		q.logprobs = true
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

// noFile is the problem of a request without a file.
func noFile() error {
	return openai.Fault(http.StatusBadRequest, "file", "missing_required_parameter",
		"file must be given, in a form (multipart/form-data)")
}

package files

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"steno/gateway/dialect"
	"steno/gateway/dialect/assemblyai"
	"steno/gateway/web"
	"steno/messages"
)

// transcriptRequest asks for a transcript. Members that are not known are ignored.
type transcriptRequest struct {
	AudioURL          string            `json:"audio_url" required:"true" doc:"Of an upload, or of a file elsewhere"`
	SpeechModel       string            `json:"speech_model"`
	SpeechModels      []string          `json:"speech_models"`
	LanguageCode      string            `json:"language_code"`
	LanguageCodes     []string          `json:"language_codes"`
	Detection         *detectionOptions `json:"language_detection_options"`
	Punctuate         *bool             `json:"punctuate"`
	Multichannel      bool              `json:"multichannel"`
	DualChannel       bool              `json:"dual_channel"`
	SpeakerLabels     bool              `json:"speaker_labels"`
	SpeakersExpected  *int              `json:"speakers_expected"`
	SpeakerOptions    *speakerOptions   `json:"speaker_options"`
	WordBoost         []string          `json:"word_boost"`
	KeytermsPrompt    []string          `json:"keyterms_prompt"`
	CustomSpelling    []spelling        `json:"custom_spelling"`
	RedactPII         bool              `json:"redact_pii"`
	RedactPIIPolicies []string          `json:"redact_pii_policies"`
	RedactPIISub      string            `json:"redact_pii_sub"`
	Summarization     bool              `json:"summarization"`
	SummaryType       string            `json:"summary_type"`
	AutoChapters      bool              `json:"auto_chapters"`
	EntityDetection   bool              `json:"entity_detection"`
	SentimentAnalysis bool              `json:"sentiment_analysis"`
	WebhookURL        string            `json:"webhook_url"`
	WebhookAuthName   string            `json:"webhook_auth_header_name"`
	WebhookAuthValue  string            `json:"webhook_auth_header_value"`
	AudioStartFrom    *int              `json:"audio_start_from"`
	AudioEndAt        *int              `json:"audio_end_at"`
	Understanding     messages.Object   `json:"speech_understanding"`
	LeastConfidence   *float64          `json:"language_confidence_threshold"`
}

// detectionOptions are how the languages of a recording are found.
type detectionOptions struct {
	Expected  []string `json:"expected_languages"`
	Switching bool     `json:"code_switching"`
}

// speakerOptions bound how many speakers there are.
type speakerOptions struct {
	Least *int `json:"min_speakers_expected"`
	Most  *int `json:"max_speakers_expected"`
}

// spelling is how words that are said are written.
type spelling struct {
	From []string `json:"from"`
	To   string   `json:"to"`
}

// options are what of a request its answer depends on. Their JSON is kept with the job.
type options struct {
	AudioURL      string `json:"audio_url"` // as the client has named it
	Plain         bool   `json:"plain,omitempty"`
	Multichannel  bool   `json:"multichannel,omitempty"`
	SpeakerLabels bool   `json:"speaker_labels,omitempty"`
	Language      string `json:"language,omitempty"`
}

func parseOptions(text string) (o options, err error) {
	if text == "" {
		return o, nil // a job that was not asked for in this dialect
	}
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		return o, fmt.Errorf("read options of a job: %w", err)
	}
	return o, nil
}

const (
	maxTerms = 500
	maxTerm  = 500 // bytes
)

// parse reads a request for a transcript.
func parse(text []byte) (*messages.PreRecordedRequest, options, error) {
	var b transcriptRequest
	if err := json.Unmarshal(text, &b); err != nil {
		return nil, options{}, bad("the body must be JSON, and its members of the right types")
	}
	if err := b.possible(); err != nil {
		return nil, options{}, err
	}
	languages, err := b.languages()
	if err != nil {
		return nil, options{}, err
	}
	job := messages.NewPreRecordedRequest(b.AudioURL, languages)
	if job.Model, err = b.model(); err != nil {
		return nil, options{}, err
	}
	b.ask(job)
	if job.CallbackAuth, err = b.webhookAuth(); err != nil {
		return nil, options{}, err
	}
	if err := b.askWords(job); err != nil {
		return nil, options{}, err
	}
	o := options{AudioURL: b.AudioURL, Multichannel: b.Multichannel || b.DualChannel, SpeakerLabels: b.SpeakerLabels,
		Plain: b.Punctuate != nil && !*b.Punctuate, Language: b.LanguageCode}
	return job, o, refusedJob(job)
}

// possible returns why a request cannot be done as its client expects; nil: it can.
func (b *transcriptRequest) possible() error {
	switch {
	case b.AudioURL == "":
		return bad("audio_url must be given")
	case b.AudioStartFrom != nil && *b.AudioStartFrom > 0 || b.AudioEndAt != nil && *b.AudioEndAt > 0:
		return bad("audio_start_from and audio_end_at are not possible: files are transcribed whole")
	case len(b.Understanding) > 0:
		return bad("speech_understanding is not possible: the gateway's own interface has translation and summaries")
	case b.LeastConfidence != nil && *b.LeastConfidence > 0:
		return bad("language_confidence_threshold is not possible: detected languages have no confidence")
	}
	return nil
}

func bad(why string) error { return web.Problem(http.StatusBadRequest, why) }

// model returns the model that is asked for: the first of several.
func (b *transcriptRequest) model() (string, error) {
	if len(b.SpeechModels) > 0 {
		return assemblyai.Model(b.SpeechModels[0])
	}
	return assemblyai.Model(b.SpeechModel)
}

// languages returns the languages that are stated, else those that are expected.
func (b *transcriptRequest) languages() (c messages.LanguageConfig, err error) {
	names := b.LanguageCodes
	if b.LanguageCode != "" {
		names = append([]string{b.LanguageCode}, names...)
	}
	if o := b.Detection; o != nil {
		if c.CodeSwitching = o.Switching; len(names) == 0 {
			names = o.Expected
		}
	}
	for _, name := range names {
		if name == "" {
			continue
		}
		var known bool
		if c.Languages, known = dialect.AddLanguage(c.Languages, name); !known {
			return c, bad(fmt.Sprintf("the language %q is not known", web.Shorten(name)))
		}
	}
	return c, nil
}

// ask asks for what is made of the transcript.
func (b *transcriptRequest) ask(job *messages.PreRecordedRequest) {
	job.Diarization = b.SpeakerLabels
	job.DiarizationConfig.NumberOfSpeakers = b.SpeakersExpected
	if o := b.SpeakerOptions; o != nil && b.SpeakersExpected == nil {
		job.DiarizationConfig.MinSpeakers, job.DiarizationConfig.MaxSpeakers = o.Least, o.Most
	}
	job.Summarization, job.Chapterization = b.Summarization, b.AutoChapters
	job.NamedEntityRecognition, job.SentimentAnalysis = b.EntityDetection, b.SentimentAnalysis
	switch b.SummaryType {
	case "bullets", "bullets_verbose":
		job.SummarizationConfig.Type = "bullet_points"
	case "gist", "headline":
		job.SummarizationConfig.Type = "concise"
	}
	if b.RedactPII {
		job.PIIRedaction = true
		job.PIIRedactionConfig.EntityTypes = assemblyai.Kinds(b.RedactPIIPolicies)
		job.PIIRedactionConfig.ProcessedTextType = "MASK"
		if b.RedactPIISub == "entity_name" {
			job.PIIRedactionConfig.ProcessedTextType = "MARKER"
		}
	}
	if b.WebhookURL != "" {
		job.Callback, job.CallbackConfig = true, &messages.ResultCallback{URL: b.WebhookURL, Method: http.MethodPost}
	}
}

// headerName is what the name of a webhook's header may be.
var headerName = regexp.MustCompile(`^[A-Za-z0-9!#$%&'*+.^_|~-]{1,128}$`)

// maxHeader bounds the value of a webhook's header, in bytes.
const maxHeader = 4096

// webhookAuth returns the header that the webhook is to be sent with; empty: none.
func (b *transcriptRequest) webhookAuth() (string, error) {
	name, value := b.WebhookAuthName, b.WebhookAuthValue
	if name == "" && value == "" {
		return "", nil
	}
	control := func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }
	switch {
	case b.WebhookURL == "" || name == "" || value == "":
		return "", bad("webhook_auth_header_name, webhook_auth_header_value and webhook_url belong together")
	case !headerName.MatchString(name) || slices.Contains(ownHeaders, strings.ToLower(name)):
		return "", bad("webhook_auth_header_name must be a header's name, and not one of the request's own")
	case len(value) > maxHeader || strings.ContainsFunc(value, control):
		return "", bad("webhook_auth_header_value must not be longer than 4096 bytes or have control characters")
	}
	return name + ": " + value, nil
}

// ownHeaders are those of a webhook's request that no client sets.
var ownHeaders = []string{"connection", "content-length", "content-type", "content-encoding", "expect", "host",
	"keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "user-agent", "webhook-id", "webhook-signature",
	"webhook-timestamp"}

// askWords asks for vocabulary and spelling.
func (b *transcriptRequest) askWords(job *messages.PreRecordedRequest) error {
	var list []messages.VocabularyEntry
	for _, term := range slices.Concat(b.WordBoost, b.KeytermsPrompt) {
		if term = strings.TrimSpace(term); len(term) > maxTerm || len(list) >= maxTerms {
			return bad(fmt.Sprintf("there must not be more than %d key terms, nor longer ones than %d bytes", maxTerms,
				maxTerm))
		}
		if term != "" {
			list = append(list, messages.VocabularyEntry{Value: term})
		}
	}
	if len(list) > 0 {
		usual := messages.DefaultIntensity
		job.CustomVocabulary = true
		job.CustomVocabularyConfig = &messages.CustomVocabularyConfig{Vocabulary: list, DefaultIntensity: &usual}
	}
	dictionary := map[string][]string{}
	for _, s := range b.CustomSpelling {
		dictionary[s.To] = append(dictionary[s.To], s.From...)
	}
	if len(dictionary) > 0 {
		job.CustomSpelling = true
		job.CustomSpellingConfig = &messages.CustomSpellingConfig{SpellingDictionary: dictionary}
	}
	return nil
}

// refusedJob returns what makes a job invalid, as that of the gateway's own interface would be.
func refusedJob(job *messages.PreRecordedRequest) error {
	text, err := json.Marshal(job)
	if err != nil {
		return fmt.Errorf("encode job: %w", err)
	}
	if _, fault := messages.ParsePreRecorded(text); fault != nil {
		return fault
	}
	return nil
}

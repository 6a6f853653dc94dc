package openapi

import (
	"reflect"

	"steno/messages"
)

// hidden is the type of a field that is left out of the description, although an embedded struct
// has one of its name.
type hidden struct{}

// vocabularySwitch is the type of custom_vocabulary: a boolean, or an array of words, which is
// deprecated.
type vocabularySwitch struct{}

// schema allows both.
func (vocabularySwitch) schema(g *registry) *Schema {
	words := g.array(reflect.TypeFor[messages.List[messages.VocabularyEntry]](), `maxItems:"1000"`, read)
	return &Schema{AnyOf: []*Schema{{Type: Types{"boolean"}}, words}}
}

// LiveRequest is a live request with the deprecated fields that are still accepted.
type LiveRequest struct {
	messages.LiveRequest
	messages.DeprecatedFields
}

// PreRecordedRequest is a request for a recorded file with the deprecated fields that are still
// accepted.
type PreRecordedRequest struct {
	messages.PreRecordedRequest
	messages.DeprecatedFields
	CustomVocabulary vocabularySwitch `json:"custom_vocabulary" default:"false" stage:"beta" doc:"Prefer the words of custom_vocabulary_config; an array of the words themselves is deprecated"`
}

// Uploaded is the form of an upload.
type Uploaded struct {
	Audio []byte `json:"audio" required:"true" doc:"The whole file; its name and type are ignored"`
}

// BotForm is the form of a meeting bot.
type BotForm struct {
	Audio                  []byte   `json:"audio" required:"true" doc:"The recording: raw signed 16-bit little-endian mono samples, or a file of any format"`
	SampleRate             int      `json:"sample_rate" minimum:"4000" maximum:"192000" doc:"In Hz; needed where audio holds raw samples"`
	EnableCodeSwitching    bool     `json:"enable_code_switching" default:"false" doc:"Detect the language of each utterance"`
	CodeSwitchingLanguages []string `json:"code_switching_languages" maxItems:"200" doc:"Codes of the languages spoken"`
	Language               string   `json:"language" doc:"Code of the language spoken, where there is one"`

	TranscriptionSettings map[string]messages.ProviderSettings `json:"transcription_settings" maxProperties:"20" doc:"As bots have them, by the name of their provider: what the fields above do not say"`
}

// LiveParams is a live request as the record shows it.
type LiveParams struct {
	messages.LiveRequest
	CustomMetadata hidden `json:"custom_metadata"`
	Strict         hidden `json:"strict"`
}

// PreRecordedParams is a recorded file's request as the record shows it.
type PreRecordedParams struct {
	messages.PreRecordedRequest
	CustomMetadata hidden `json:"custom_metadata"`
	Strict         hidden `json:"strict"`
}

// LiveJob is the record of a live job.
type LiveJob struct {
	messages.Job
	Kind          string               `json:"kind" enum:"live"`
	RequestParams *LiveParams          `json:"request_params"`
	Result        *messages.LiveResult `json:"result"`
}

// PreRecordedJob is the record of a recorded file's job.
type PreRecordedJob struct {
	messages.Job
	Kind          string                      `json:"kind" enum:"pre-recorded"`
	RequestParams *PreRecordedParams          `json:"request_params"`
	Result        *messages.PreRecordedResult `json:"result"`
}

// Job is a job of either kind.
type Job struct {
	either[LiveJob, PreRecordedJob]
}

// Pages of jobs.
type (
	// LivePage is a page of live jobs.
	LivePage struct {
		messages.Page
		Items messages.List[LiveJob] `json:"items"`
	}
	// PreRecordedPage is a page of recorded files' jobs.
	PreRecordedPage struct {
		messages.Page
		Items messages.List[PreRecordedJob] `json:"items"`
	}
	// Page is a page of jobs of both kinds.
	Page struct {
		messages.Page
		Items messages.List[Job] `json:"items"`
	}
)

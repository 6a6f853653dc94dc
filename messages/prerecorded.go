package messages

import "encoding/json"

// PreRecordedRequest is the body that asks for a recorded file's transcription. Its JSON is
// request_params: every field with its default filled in, a config with required fields only where
// it was given, and no custom_metadata, which have their own place in the record. It reads back
// with [ParsePreRecorded].
//
// The tags mean what they do in [LiveRequest]; single marks an array for which a lone item may
// stand, and inner holds the rules of the arrays within an array.
type PreRecordedRequest struct {
	AudioURL               string                  `json:"audio_url" required:"true" format:"uri" maxLength:"8192" doc:"Where the file is: an address of this service's upload, or any other"`
	Model                  string                  `json:"model" default:"stt-1" enum:"stt-1,stt-3,stt-fusion" alias:"fast=stt-1,accurate=stt-1,solaria-1=stt-1,solaria-2=stt-1,solaria-3=stt-3,solaria-mini-1=stt-1,solaria-fusion=stt-fusion" doc:"Model; stt-3 knows English, French, German, Spanish and Italian, and does not switch between them"`
	LanguageConfig         LanguageConfig          `json:"language_config"`
	CustomVocabulary       bool                    `json:"custom_vocabulary" default:"false" stage:"beta" doc:"Prefer the words of custom_vocabulary_config"`
	CustomVocabularyConfig *CustomVocabularyConfig `json:"custom_vocabulary_config,omitempty"`
	CallbackURL            string                  `json:"callback_url,omitempty" format:"uri" maxLength:"2048" deprecated:"true" doc:"Where the result is sent by POST; use callback and callback_config"`
	Callback               bool                    `json:"callback" default:"false" doc:"Send the result to callback_config.url"`
	CallbackConfig         *ResultCallback         `json:"callback_config,omitempty"`
	Subtitles              bool                    `json:"subtitles" default:"false" doc:"Write subtitles"`
	SubtitlesConfig        SubtitlesConfig         `json:"subtitles_config"`
	Diarization            bool                    `json:"diarization" default:"false" doc:"Tell speakers apart"`
	DiarizationConfig      DiarizationConfig       `json:"diarization_config,omitzero"`
	Translation            bool                    `json:"translation" default:"false" stage:"beta" doc:"Translate the whole text"`
	TranslationConfig      *TranslationConfig      `json:"translation_config,omitempty"`
	Summarization          bool                    `json:"summarization" default:"false" doc:"Sum up the whole text"`
	SummarizationConfig    SummarizationConfig     `json:"summarization_config"`
	NamedEntityRecognition bool                    `json:"named_entity_recognition" default:"false" stage:"alpha" doc:"Find what the text names"`
	CustomSpelling         bool                    `json:"custom_spelling" default:"false" stage:"alpha" doc:"Spell as custom_spelling_config says"`
	CustomSpellingConfig   *CustomSpellingConfig   `json:"custom_spelling_config,omitempty"`
	SentimentAnalysis      bool                    `json:"sentiment_analysis" default:"false" doc:"Tell the mood of each utterance"`
	AudioToLLM             bool                    `json:"audio_to_llm" default:"false" doc:"Ask a language model about the text"`
	AudioToLLMConfig       *AudioToLLMConfig       `json:"audio_to_llm_config,omitempty"`
	PIIRedaction           bool                    `json:"pii_redaction" default:"false" doc:"Hide what tells who somebody is"`
	PIIRedactionConfig     PIIRedactionConfig      `json:"pii_redaction_config,omitzero"`
	Sentences              bool                    `json:"sentences" default:"false" doc:"Divide the text into sentences"`
	PunctuationEnhanced    bool                    `json:"punctuation_enhanced" default:"false" stage:"alpha" doc:"Take more care of the punctuation"`

	// Shown only where they are on: clients' own types do not have them.

	Chapterization                 bool                           `json:"chapterization,omitempty" default:"false" doc:"Divide the whole text into chapters"`
	NameConsistency                bool                           `json:"name_consistency,omitempty" default:"false" doc:"Spell each name the same way everywhere"`
	StructuredDataExtraction       bool                           `json:"structured_data_extraction,omitempty" default:"false" doc:"Take data of the given classes from the text"`
	StructuredDataExtractionConfig StructuredDataExtractionConfig `json:"structured_data_extraction_config,omitzero"`
	AudioTrack                     AudioTrack                     `json:"audio_track,omitempty" doc:"Which audio track of a file with several is transcribed: its index, from 0, or all, each as channels of its own. Without it the one that is to be played by default; warnings name the others"`
	DisplayMode                    bool                           `json:"display_mode,omitempty" default:"false" doc:"Also order the text for reading, where speakers overlap"`
	Declared                       Declared                       `json:"-" scope:"recorded"`

	Storage

	CustomMetadata Object `json:"custom_metadata" doc:"Anything, at most 2000 characters as JSON; echoed in the record and usable as a filter"`

	// Dialect is how a client asked that speaks another service's dialect. It is shown where there
	// is one, and not read from bodies: see [DialectOf].
	Dialect Dialect `json:"-"`
	// CallbackAuth is a header that the callback is sent with, as "name: value"; empty: none. It is
	// a secret, and no part of request_params.
	CallbackAuth string `json:"-"`

	// Strict is not shown: it is about the body alone.
	Strict bool `json:"strict" default:"false" doc:"Refuse the request if any part of it would be ignored"`

	warnings Warnings
}

// NewPreRecordedRequest returns the request for a file at an address in some languages, with the
// defaults for everything else.
func NewPreRecordedRequest(audioURL string, c LanguageConfig) *PreRecordedRequest {
	r := new(PreRecordedRequest)
	newBodyDecoder().object("", nil, r) // fills in the defaults
	r.AudioURL, r.LanguageConfig, r.SubtitlesConfig = audioURL, c, r.SubtitlesConfig.WithDefaults()
	return r
}

// Warnings are those about the request, for the client.
func (r *PreRecordedRequest) Warnings() Warnings { return r.warnings }

// Note adds a warning of something that is done otherwise than the client may expect, though as it
// has asked.
func (r *PreRecordedRequest) Note(field, message string) { r.warnings.Deprecate(field, message) }

// MarshalJSON writes request_params.
func (r PreRecordedRequest) MarshalJSON() ([]byte, error) {
	type plain PreRecordedRequest
	return marshalWith(struct {
		plain
		CustomMetadata *struct{} `json:"custom_metadata,omitempty"` // hides the one of plain
		Strict         *struct{} `json:"strict,omitempty"`          // likewise
		Dialect        Dialect   `json:"dialect,omitzero"`
	}{plain: plain(r), Dialect: r.Dialect}, r.Declared.members())
}

// Dialect is the name of a dialect, and what of a request its answers depend on, as the dialect
// writes it.
type Dialect struct {
	Name    string `json:"name"`
	Options string `json:"options,omitempty"`
}

// DialectOf returns the dialect of a request, of its request_params.
func DialectOf(params []byte) (Dialect, error) {
	var p struct {
		Dialect Dialect `json:"dialect"`
	}
	err := json.Unmarshal(params, &p)
	return p.Dialect, err
}

// Callbacks returns the URL and the method, POST or PUT, of the callback with the result. Where
// both ways of asking were used, callback_config counts; ok is false where none was.
func (r *PreRecordedRequest) Callbacks() (url, method string, ok bool) {
	if r.Callback && r.CallbackConfig != nil && r.CallbackConfig.URL != "" {
		return r.CallbackConfig.URL, r.CallbackConfig.Method, true
	}
	return r.CallbackURL, "POST", r.CallbackURL != ""
}

// CutAsRecording sets how a recording is cut. Nobody waits for its utterances, so a recognizer is
// given whole sentences: a pause ends a piece after 0.55 s, of which 0.2 s are waited for the end
// of a word anyway. Pieces of more than 20 s are too much for many models.
func (r *LiveRequest) CutAsRecording() { r.Endpointing, r.MaxUtterance = 0.35, 20 }

// Live returns the request of a live session that recognizes a recording as r asks: with its
// languages, vocabulary and spelling, in pieces of about a sentence, and with the defaults of live
// sessions for everything else. The caller sets encoding, bit depth, sample rate and channels. The
// configs are shared with r.
func (r *PreRecordedRequest) Live() *LiveRequest {
	live := new(LiveRequest)
	newBodyDecoder().object("", nil, live) // fills in the defaults
	live.LanguageConfig = r.LanguageConfig
	live.CutAsRecording()
	p := &live.RealtimeProcessing
	p.CustomVocabulary, p.CustomVocabularyConfig = r.CustomVocabulary, r.CustomVocabularyConfig
	p.CustomSpelling, p.CustomSpellingConfig = r.CustomSpelling, r.CustomSpellingConfig
	return live
}

package messages

import "strings"

// LiveRequest is the body that opens a live session. Its JSON is request_params: every field with
// its default filled in, a config that has fields without a default only where it was given, and no
// custom_metadata, which have their own place in the record.
//
// The tags state what is allowed. Those that huma also knows mean the same there; alias lists other
// spellings of a value, fold means that case does not matter, code that the value is a language's
// (see [LanguageCode]), unique that of equal items of an array the first counts, stage that a field
// may still change, and short marks the field that a bare string stands for.
type LiveRequest struct {
	Encoding       string  `json:"encoding" default:"wav/pcm" enum:"wav/pcm,wav/alaw,wav/ulaw,webm/opus,ogg/opus,mp3,flac,aac" alias:"pcm=wav/pcm" fold:"true" doc:"Coding of the samples, among which WAV headers are left out, or the container that they come in. Of a container, bit_depth, sample_rate and channels are those of the stream and need not be given, each socket begins a new one, and byte_range of acks counts the decoded samples; aac is ADTS or fragmented MP4"`
	BitDepth       int     `json:"bit_depth" default:"16" enum:"8,16,24,32" doc:"Bits of a sample: 8 unsigned, the others signed little-endian; A-law and mu-law always have 8"`
	SampleRate     int     `json:"sample_rate" default:"16000" enum:"8000,16000,24000,32000,44100,48000" doc:"Samples a second"`
	Channels       int     `json:"channels" default:"1" minimum:"1" maximum:"8" doc:"Interleaved channels, each transcribed on its own"`
	CustomMetadata Object  `json:"custom_metadata" doc:"Anything, at most 2000 characters as JSON; echoed in the record and usable as a filter"`
	Model          string  `json:"model" default:"stt-1" enum:"stt-1,stt-3,stt-fusion" alias:"fast=stt-1,accurate=stt-1,solaria-1=stt-1,solaria-2=stt-1,solaria-3=stt-3,solaria-mini-1=stt-1,solaria-fusion=stt-fusion" doc:"Model; live sessions have stt-1"`
	Endpointing    float64 `json:"endpointing" default:"0.05" minimum:"0.01" maximum:"10" doc:"Seconds of silence that end an utterance"`
	MaxUtterance   float64 `json:"maximum_duration_without_endpointing" default:"5" minimum:"5" maximum:"60" doc:"Seconds after which an utterance is cut"`
	// Shown only where it was given: clients' own types do not have it.

	SilenceAfter *float64 `json:"silence_after,omitempty" minimum:"0.2" maximum:"30" doc:"Seconds without audio on an open socket that are taken for silence, for clients that send none in pauses: what is being said ends, no time passes in the recording, and its file holds what was sent. Off where it is not given"`

	LanguageConfig     LanguageConfig     `json:"language_config"`
	PreProcessing      PreProcessingSpec  `json:"pre_processing"`
	RealtimeProcessing RealtimeProcessing `json:"realtime_processing"`
	PostProcessing     PostProcessing     `json:"post_processing"`
	MessagesConfig     MessagesConfig     `json:"messages_config"`
	Callback           bool               `json:"callback" default:"false" doc:"Send messages to callback_config.url"`
	CallbackConfig     CallbackConfig     `json:"callback_config"`

	// Shown only where it was given.

	Storage

	// Strict is not shown: it is about the body alone.
	Strict bool `json:"strict" default:"false" doc:"Refuse the request if any part of it would be ignored"`

	// explicit are the kinds whose own flag the body sets to true.
	explicit Filter
	warnings Warnings
}

// onlyDepths are the bit depths of encodings that have only one, whatever the request declares.
var onlyDepths = map[string]int{"wav/alaw": 8, "wav/ulaw": 8}

// Container reports whether the audio is sent in a container, which tells its format.
func (r *LiveRequest) Container() bool { return !strings.HasPrefix(r.Encoding, "wav/") }

// Warnings are those about the request, for the client.
func (r *LiveRequest) Warnings() Warnings { return r.warnings }

// PreProcessingSpec is what is done to the audio first.
type PreProcessingSpec struct {
	AudioEnhancer   bool    `json:"audio_enhancer" default:"false" doc:"Reduce noise"`
	SpeechThreshold float64 `json:"speech_threshold" default:"0.6" minimum:"0" maximum:"1" doc:"How sure the detector must be to call it speech"`
}

// RealtimeProcessing is what is done to each utterance.
type RealtimeProcessing struct {
	CustomVocabulary       bool                    `json:"custom_vocabulary" default:"false" stage:"beta" doc:"Prefer the words of custom_vocabulary_config"`
	CustomVocabularyConfig *CustomVocabularyConfig `json:"custom_vocabulary_config,omitempty"`
	CustomSpelling         bool                    `json:"custom_spelling" default:"false" stage:"alpha" doc:"Spell as custom_spelling_config says"`
	CustomSpellingConfig   *CustomSpellingConfig   `json:"custom_spelling_config,omitempty"`
	Translation            bool                    `json:"translation" default:"false" stage:"beta" doc:"Translate each utterance"`
	TranslationConfig      *TranslationConfig      `json:"translation_config,omitempty"`
	NamedEntityRecognition bool                    `json:"named_entity_recognition" default:"false" stage:"alpha" doc:"Find what each utterance names"`
	SentimentAnalysis      bool                    `json:"sentiment_analysis" default:"false" doc:"Tell the mood of each utterance"`

	// Shown only where it is on: clients' own types do not have it.

	Diarization        bool               `json:"diarization,omitempty" default:"false" doc:"Number the speakers of finals: by voice, or by channel where there are several"`
	PIIRedaction       bool               `json:"pii_redaction,omitempty" default:"false" doc:"Hide personal data"`
	PIIRedactionConfig PIIRedactionConfig `json:"pii_redaction_config,omitzero"`
	Declared           Declared           `json:"-" scope:"finals"`
}

// MarshalJSON adds the declared add-ons.
func (p RealtimeProcessing) MarshalJSON() ([]byte, error) {
	type plain RealtimeProcessing
	return marshalWith(plain(p), p.Declared.members())
}

// PostProcessing is what is done to the whole text.
type PostProcessing struct {
	Summarization       bool                `json:"summarization" default:"false" doc:"Sum up the whole text"`
	SummarizationConfig SummarizationConfig `json:"summarization_config"`
	Chapterization      bool                `json:"chapterization" default:"false" doc:"Divide the whole text into chapters"`
	Declared            Declared            `json:"-" scope:"session"`
}

// MarshalJSON adds the declared add-ons.
func (p PostProcessing) MarshalJSON() ([]byte, error) {
	type plain PostProcessing
	return marshalWith(plain(p), p.Declared.members())
}

// MessagesConfig is what the session's socket gets.
type MessagesConfig struct {
	PartialTranscripts bool `json:"receive_partial_transcripts" default:"false"`
	FinalTranscripts   bool `json:"receive_final_transcripts" default:"true"`
	SpeechEvents       bool `json:"receive_speech_events" default:"true"`
	PreProcessing      bool `json:"receive_pre_processing_events" default:"true"`
	RealtimeProcessing bool `json:"receive_realtime_processing_events" default:"true"`
	PostProcessing     bool `json:"receive_post_processing_events" default:"true"`
	Acknowledgments    bool `json:"receive_acknowledgments" default:"true"`
	Errors             bool `json:"receive_errors" default:"true"`
	Lifecycle          bool `json:"receive_lifecycle_events" default:"false"`
}

// CallbackFlags are what the callback gets.
type CallbackFlags struct {
	PartialTranscripts bool `json:"receive_partial_transcripts" default:"false"`
	FinalTranscripts   bool `json:"receive_final_transcripts" default:"true"`
	SpeechEvents       bool `json:"receive_speech_events" default:"false"`
	PreProcessing      bool `json:"receive_pre_processing_events" default:"true"`
	RealtimeProcessing bool `json:"receive_realtime_processing_events" default:"true"`
	PostProcessing     bool `json:"receive_post_processing_events" default:"true"`
	Acknowledgments    bool `json:"receive_acknowledgments" default:"false"`
	Errors             bool `json:"receive_errors" default:"false"`
	Lifecycle          bool `json:"receive_lifecycle_events" default:"true"`
}

// CallbackConfig is where callbacks go and what they carry.
type CallbackConfig struct {
	URL string `json:"url,omitempty" format:"uri" maxLength:"2048" doc:"Needed where callback is true"`
	CallbackFlags
}

// MarshalJSON writes request_params.
func (r LiveRequest) MarshalJSON() ([]byte, error) {
	type plain LiveRequest
	return marshal(struct {
		plain
		CustomMetadata *struct{} `json:"custom_metadata,omitempty"` // hides the one of plain
		Strict         *struct{} `json:"strict,omitempty"`          // likewise
	}{plain: plain(r)})
}

// SocketFilter is what the session's own socket gets: messages_config, but never start_session, and
// the kinds that not every client knows only where the request asks for them itself: error and
// pre_processing by their flag, post_chapterization by its flag or by chapterization.
//
// What the request said itself is not in request_params: keep the filter with the record, not the
// request alone.
func (r *LiveRequest) SocketFilter() Filter {
	f := Flags(r.MessagesConfig).Filter().Without(KindStartSession)
	asked := r.explicit
	if r.PostProcessing.Chapterization {
		asked = asked.With(KindPostChapterization)
	}
	for _, k := range []Kind{KindError, KindPreProcessing, KindPostChapterization} {
		if !asked.Has(k) {
			f = f.Without(k)
		}
	}
	return f
}

// CallbackFilter is what the callback gets; nothing where callback is false.
func (r *LiveRequest) CallbackFilter() Filter {
	if !r.Callback {
		return 0
	}
	return Flags(r.CallbackConfig.CallbackFlags).Filter()
}

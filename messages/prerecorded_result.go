package messages

// PreRecordedResult is the result of a recorded file. The wrappers are nil for add-ons that were
// not asked for.
type PreRecordedResult struct {
	Metadata               Metadata                              `json:"metadata"`
	Transcription          *Transcription                        `json:"transcription,omitempty"`
	Translation            *AddonResult[List[TranslationResult]] `json:"translation,omitempty"`
	Summarization          *AddonResult[*string]                 `json:"summarization,omitempty"`
	NamedEntityRecognition *AddonResult[List[Entity]]            `json:"named_entity_recognition,omitempty"`
	Chapterization         *AddonResult[List[Chapter]]           `json:"chapterization,omitempty"`
	// NameConsistency is deprecated.
	NameConsistency          *AddonResult[*string] `json:"name_consistency,omitempty"`
	StructuredDataExtraction *AddonResult[*string] `json:"structured_data_extraction,omitempty"`
	// SentimentAnalysis holds the JSON text of an array of [Sentiment].
	SentimentAnalysis *AddonResult[string]           `json:"sentiment_analysis,omitempty"`
	AudioToLLM        *AddonResult[List[AudioToLLM]] `json:"audio_to_llm,omitempty"`
	// Sentences is deprecated: what it holds stands in Transcription too.
	Sentences   *AddonResult[List[string]] `json:"sentences,omitempty"`
	DisplayMode *AddonResult[List[string]] `json:"display_mode,omitempty"`
	// Diarization is present only where it was asked for and failed.
	Diarization *AddonResult[List[Utterance]] `json:"diarization,omitempty"`
	// Warnings are what befell the recognition.
	Warnings []Warning       `json:"warnings,omitempty"`
	Declared DeclaredResults `json:"-" scope:"recorded"`
}

// MarshalJSON adds the results of declared add-ons.
func (r PreRecordedResult) MarshalJSON() ([]byte, error) {
	type plain PreRecordedResult
	return marshalWith(plain(r), r.Declared)
}

// AudioToLLM is the outcome of one prompt. Where there is no answer the Response of its Results is
// nil.
type AudioToLLM = AddonResult[*LLMAnswer]

// LLMAnswer is a prompt, see [Prompt.Text], and what the language model said.
type LLMAnswer struct {
	Prompt   *string `json:"prompt"`
	Response *string `json:"response"`
}

// Created answers a request for a recorded file's transcription.
type Created struct {
	ID        string `json:"id"`         // UUID v4
	ResultURL string `json:"result_url"` // absolute
	// Warnings are left out of the JSON where there are none.
	Warnings Warnings `json:"warnings,omitempty"`
}

// BotAnswer answers a meeting bot that waits for its transcript: see [BotDone] and [BotError].
type BotAnswer struct {
	Status    Status     `json:"status" enum:"done,error"`
	Result    *BotResult `json:"result,omitempty"`
	ErrorCode string     `json:"error_code,omitempty"`
}

// BotResult is what a meeting bot reads.
type BotResult struct {
	Transcription Transcription `json:"transcription"`
}

// BotDone is the answer with a transcript.
func BotDone(t Transcription) BotAnswer {
	return BotAnswer{Status: StatusDone, Result: &BotResult{Transcription: t}}
}

// BotError is the answer where there is none. The code is shown to clients.
func BotError(code string) BotAnswer { return BotAnswer{Status: StatusError, ErrorCode: code} }

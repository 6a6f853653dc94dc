package messages

// LiveResult is the result of a live job. The wrappers are nil for add-ons that were not asked for.
type LiveResult struct {
	Metadata               Metadata                              `json:"metadata"`
	Transcription          Transcription                         `json:"transcription"`
	Translation            *AddonResult[List[TranslationResult]] `json:"translation,omitempty"`
	Summarization          *AddonResult[*string]                 `json:"summarization,omitempty"`
	NamedEntityRecognition *AddonResult[List[Entity]]            `json:"named_entity_recognition,omitempty"`
	// SentimentAnalysis holds the JSON text of an array of [Sentiment].
	SentimentAnalysis *AddonResult[string]        `json:"sentiment_analysis,omitempty"`
	Chapterization    *AddonResult[List[Chapter]] `json:"chapterization,omitempty"`
	// Warnings are the losses that have befallen the session, and what befell the recognition.
	Warnings []Warning `json:"warnings,omitempty"`
	// Messages are the logged messages of the session, each as JSON text.
	Messages List[string]    `json:"messages"`
	Declared DeclaredResults `json:"-" scope:"finals,session"`
}

// plainLiveResult is a result without the methods that encode it.
type plainLiveResult LiveResult

// MarshalJSON adds the results of declared add-ons.
func (r LiveResult) MarshalJSON() ([]byte, error) { return marshalWith(plainLiveResult(r), r.Declared) }

// Metadata is the measure of a job.
type Metadata struct {
	AudioDuration            float64 `json:"audio_duration"` // seconds
	NumberOfDistinctChannels int     `json:"number_of_distinct_channels"`
	// BillingTime is the duration times the channels, in seconds.
	BillingTime       float64 `json:"billing_time"`
	TranscriptionTime float64 `json:"transcription_time"` // seconds of work
}

// AddonError is why an add-on, or a session, failed. All of it is shown to clients.
type AddonError struct {
	StatusCode int    `json:"status_code"`
	Exception  string `json:"exception"`
	Message    string `json:"message"`
}

// AddonResult is the outcome of one add-on over a whole job.
type AddonResult[T any] struct {
	Success bool `json:"success"` // it gave all that was asked for
	IsEmpty bool `json:"is_empty"`
	// ExecTime is in seconds.
	ExecTime float64 `json:"exec_time"`
	// Error is nil when Success is true, else the first of what failed.
	Error *AddonError `json:"error"`
	// Results are those so far, also beside an error.
	Results T `json:"results"`
}

// TranslationResult is the whole text in one target language.
type TranslationResult struct {
	Error          *AddonError                 `json:"error"`
	FullTranscript string                      `json:"full_transcript"`
	Languages      List[string]                `json:"languages"`
	Utterances     List[Utterance]             `json:"utterances"`
	Sentences      []AddonResult[List[string]] `json:"sentences,omitempty"`
	Subtitles      []Subtitle                  `json:"subtitles,omitempty"`
}

// Entity is one named thing found in the text.
type Entity struct {
	EntityType string  `json:"entity_type"`
	Text       string  `json:"text"`
	Start      float64 `json:"start"` // seconds
	End        float64 `json:"end"`
}

// Sentiment is the mood of one piece of the text.
type Sentiment struct {
	// Sentiment is positive, negative, neutral, mixed or unknown.
	Sentiment string  `json:"sentiment"`
	Emotion   string  `json:"emotion"`
	Text      string  `json:"text"`
	Start     float64 `json:"start"` // seconds
	End       float64 `json:"end"`
	Channel   int     `json:"channel"`
	Speaker   *int    `json:"speaker,omitempty"`
}

// Chapter is one part of what was said.
type Chapter struct {
	Headline  string                `json:"headline"`
	Gist      string                `json:"gist"`
	Keywords  List[string]          `json:"keywords"`
	Start     float64               `json:"start"` // seconds
	End       float64               `json:"end"`
	Sentences List[ChapterSentence] `json:"sentences"`
	Text      string                `json:"text"`
	Summary   string                `json:"summary"`
}

// ChapterSentence is one sentence of a chapter.
type ChapterSentence struct {
	Sentence string     `json:"sentence"`
	Start    float64    `json:"start"` // seconds
	End      float64    `json:"end"`
	Words    List[Word] `json:"words"`
}

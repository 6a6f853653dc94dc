package messages

import "time"

// Envelope is what every message carries.
type Envelope struct {
	SessionID string
	// CreatedAt is shown in UTC, cut to the millisecond.
	CreatedAt time.Time
}

// Message is what a server sends: one of the types of this file.
type Message interface {
	Kind() Kind
	// appendTo appends what follows the envelope, from the comma to the closing brace.
	appendTo(b []byte) []byte
}

// The messages without content.
type (
	// StartSession reports that the session was created. It never goes to the session's own socket.
	StartSession struct{}
	// StartRecording reports that audio may be sent.
	StartRecording struct{}
)

// EndSession is the last message of a session.
type EndSession struct {
	// ErrorCode is the HTTP status of a session that was never opened; 0: it was opened.
	ErrorCode int
}

// EndRecording reports that no audio follows.
type EndRecording struct {
	Duration float64 // seconds of audio received
}

// AudioAck answers for audio received. With Refused set it is a failed ack and the ranges are not
// shown.
type AudioAck struct {
	ByteRange [2]int64   // [start,end) over the whole session
	TimeRange [2]float64 // seconds
	Refused   string     // why not, for the client
}

// StopAck answers stop_recording. With Refused set it is a failed ack and the times are not shown.
type StopAck struct {
	Duration float64 // seconds of audio received
	Left     float64 // seconds of it not yet transcribed
	Refused  string  // why not, for the client
}

// SpeechStart announces the beginning of speech, in seconds.
type SpeechStart struct {
	Time    float64
	Channel int
}

// SpeechEnd announces the end of speech, in seconds.
type SpeechEnd struct {
	Time    float64
	Channel int
}

// Transcript is the whole of an utterance so far, or its final form.
type Transcript struct {
	ID        string // see [UtteranceID]
	IsFinal   bool
	Utterance Utterance

	// What follows is known in the process that emitted the message, and not part of its JSON.

	By      EndedBy // of a final: what ended the utterance
	Settled int     // of a partial: how many of its first words the partial before it had as well
	// From and To are where speech began and ended, or how far it has come, in seconds.
	From, To float64
}

// PreProcessing reports what was done to the audio.
type PreProcessing struct {
	Channel int     `json:"channel"`
	Time    float64 `json:"time"` // seconds
	// Step is what was done: "audio_enhancer".
	Step    string  `json:"kind"`
	NoiseDB float64 `json:"noise_db"` // level of the noise, dB of full scale
	GainDB  float64 `json:"gain_db"`  // what was done to it, dB
}

// Translation is an utterance in another language. With Error set, of the rest UtteranceID and
// TargetLanguage are shown.
type Translation struct {
	UtteranceID         string
	Utterance           Utterance
	OriginalLanguage    string
	TargetLanguage      string
	TranslatedUtterance Utterance
	Error               *AddonError
}

// NamedEntityRecognition is what an utterance names. With Error set, of the rest UtteranceID is
// shown.
type NamedEntityRecognition struct {
	UtteranceID string
	Utterance   Utterance
	Results     List[Entity]
	Error       *AddonError
}

// SentimentAnalysis is the mood of an utterance. With Error set, of the rest UtteranceID is shown.
type SentimentAnalysis struct {
	UtteranceID string
	Utterance   Utterance
	Results     List[Sentiment]
	Error       *AddonError
}

// PostTranscript is the whole text.
type PostTranscript struct{ Transcription }

// PostSummarization is the summary of the whole text; nil is shown as an empty one. With Error set
// there is none.
type PostSummarization struct {
	Results *string
	Error   *AddonError
}

// PostChapterization is the whole text in chapters. With Error set there are none.
type PostChapterization struct {
	Results List[Chapter]
	Error   *AddonError
}

// PostFinalTranscript is the result of the session, without its Messages.
type PostFinalTranscript struct{ LiveResult }

// Failure reports an error in the session.
type Failure struct{ AddonError }

func (StartSession) Kind() Kind           { return KindStartSession }
func (StartRecording) Kind() Kind         { return KindStartRecording }
func (EndRecording) Kind() Kind           { return KindEndRecording }
func (EndSession) Kind() Kind             { return KindEndSession }
func (SpeechStart) Kind() Kind            { return KindSpeechStart }
func (SpeechEnd) Kind() Kind              { return KindSpeechEnd }
func (PreProcessing) Kind() Kind          { return KindPreProcessing }
func (Translation) Kind() Kind            { return KindTranslation }
func (NamedEntityRecognition) Kind() Kind { return KindNamedEntityRecognition }
func (SentimentAnalysis) Kind() Kind      { return KindSentimentAnalysis }
func (PostTranscript) Kind() Kind         { return KindPostTranscript }
func (PostSummarization) Kind() Kind      { return KindPostSummarization }
func (PostChapterization) Kind() Kind     { return KindPostChapterization }
func (PostFinalTranscript) Kind() Kind    { return KindPostFinalTranscript }
func (Failure) Kind() Kind                { return KindError }

// Kind returns that of a failed ack where the ack refuses.
func (m AudioAck) Kind() Kind {
	if m.Refused != "" {
		return KindFailedAck
	}
	return KindAudioAck
}

// Kind returns that of a failed ack where the ack refuses.
func (m StopAck) Kind() Kind {
	if m.Refused != "" {
		return KindFailedAck
	}
	return KindStopAck
}

// Kind tells partials from finals.
func (m Transcript) Kind() Kind {
	if m.IsFinal {
		return KindFinal
	}
	return KindPartial
}

package messages

// Kind is one kind of message a server sends. Several kinds may share one type on the wire: a
// transcript is a [KindPartial] or a [KindFinal], and a refused ack has the type of what it
// refuses. The numbers are kept in records: new kinds go to the end.
type Kind uint8

// The kinds, each named after its type on the wire.
const (
	KindAudioAck Kind = iota + 1
	KindStopAck
	KindFailedAck // an ack of either type that refuses
	KindStartSession
	KindStartRecording
	KindEndRecording
	KindEndSession
	KindSpeechStart
	KindSpeechEnd
	KindPartial
	KindFinal
	KindPreProcessing
	KindTranslation
	KindNamedEntityRecognition
	KindSentimentAnalysis
	KindPostTranscript
	KindPostSummarization
	KindPostChapterization
	KindPostFinalTranscript
	KindError
	KindAddonFinal   // of a declared add-on, see [AddonFinal]
	KindAddonSession // likewise, see [AddonSession]

	kindEnd // one past the last
)

// Kinds lists every kind, ascending.
func Kinds() []Kind {
	all := make([]Kind, 0, kindEnd-1)
	for k := Kind(1); k < kindEnd; k++ {
		all = append(all, k)
	}
	return all
}

// kindNames are the types on the wire.
var kindNames = [kindEnd]string{
	KindAudioAck:               typeAudioChunk,
	KindStopAck:                typeStopRecording,
	KindFailedAck:              "failed_ack",
	KindStartSession:           "start_session",
	KindStartRecording:         "start_recording",
	KindEndRecording:           "end_recording",
	KindEndSession:             "end_session",
	KindSpeechStart:            "speech_start",
	KindSpeechEnd:              "speech_end",
	KindPartial:                "transcript",
	KindFinal:                  "transcript",
	KindPreProcessing:          "pre_processing",
	KindTranslation:            "translation",
	KindNamedEntityRecognition: "named_entity_recognition",
	KindSentimentAnalysis:      "sentiment_analysis",
	KindPostTranscript:         "post_transcript",
	KindPostSummarization:      "post_summarization",
	KindPostChapterization:     "post_chapterization",
	KindPostFinalTranscript:    "post_final_transcript",
	KindError:                  "error",
	KindAddonFinal:             "addon_final",
	KindAddonSession:           "addon_session",
}

// String is the type on the wire. Kinds whose messages have several types have a name of their own:
// "failed_ack", since a failed ack has the type of the message that it answers, "addon_final" and
// "addon_session".
func (k Kind) String() string {
	if k == 0 || k >= kindEnd {
		return "unknown"
	}
	return kindNames[k]
}

// Logged reports whether messages of this kind are logged: all but acks and partials, which only a
// socket that is open now can use.
func (k Kind) Logged() bool {
	switch k {
	case KindAudioAck, KindStopAck, KindFailedAck, KindPartial:
		return false
	default:
		return k > 0 && k < kindEnd
	}
}

package messages

// Kind is one kind of message a server sends. Several kinds may share one type on the wire: a transcript is a
// [KindPartial] or a [KindFinal], and a refused ack has the type of what it refuses. The numbers are kept in records:
// new kinds go to the end.
type Kind uint8

// The kinds, each named after its type on the wire.
const (
	KindAudioAck Kind = iota + 1
	KindStopAck
	KindFailedAck // an ack of either type that says no
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

// String is the type on the wire. A failed ack has that of the message it answers, so it has none of its own: here
// it is "failed_ack".
func (k Kind) String() string {
	switch k {
	case KindAudioAck:
		return typeAudioChunk
	case KindStopAck:
		return typeStopRecording
	case KindFailedAck:
		return "failed_ack"
	case KindStartSession:
		return "start_session"
	case KindStartRecording:
		return "start_recording"
	case KindEndRecording:
		return "end_recording"
	case KindEndSession:
		return "end_session"
	case KindSpeechStart:
		return "speech_start"
	case KindSpeechEnd:
		return "speech_end"
	case KindPartial, KindFinal:
		return "transcript"
	case KindPreProcessing:
		return "pre_processing"
	case KindTranslation:
		return "translation"
	case KindNamedEntityRecognition:
		return "named_entity_recognition"
	case KindSentimentAnalysis:
		return "sentiment_analysis"
	case KindPostTranscript:
		return "post_transcript"
	case KindPostSummarization:
		return "post_summarization"
	case KindPostChapterization:
		return "post_chapterization"
	case KindPostFinalTranscript:
		return "post_final_transcript"
	case KindError:
		return "error"
	default:
		return "unknown"
	}
}

// Logged tells whether messages of this kind stand in a session's log: all but acks and partials, which only a
// socket that is open now can use.
func (k Kind) Logged() bool {
	switch k {
	case KindAudioAck, KindStopAck, KindFailedAck, KindPartial:
		return false
	default:
		return k > 0 && k < kindEnd
	}
}

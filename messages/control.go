package messages

// The kinds that only a client of a dialect is sent. They are in no log and no record, and no
// [Flags] gate them.
const (
	KindAnswer Kind = 29 + iota // of the dialect's parser, whose text its Body is
	KindSpeech                  // see [Speech]
	KindMarked                  // see [Marked]
)

// Internal reports whether a kind is known to dialects alone.
func (k Kind) Internal() bool { return k >= KindAnswer && k <= KindMarked }

// Mark is what a client asks for at the place in its audio where it asks for it.
type Mark struct {
	ID string `json:"id,omitempty"` // the client's or its dialect's; it comes back with [Marked]
	// Discard: what was said since the last utterance ended is not transcribed. Otherwise what is
	// being said ends here, as if silence followed.
	Discard bool `json:"discard,omitempty"`
}

// NeverEnds is the Endpointing with which only marks end utterances, and the longest duration.
const NeverEnds = 24 * 60 * 60

// Update changes a session's settings from the place in its audio where a client asks for it. What
// is nil stays as it is.
type Update struct {
	Endpointing *float64 `json:"endpointing,omitempty"` // seconds of silence that end an utterance, or NeverEnds
	Threshold   *float64 `json:"threshold,omitempty"`   // how sure the detector must be of speech, 0 to 1
	// Early is after how many seconds of silence, fewer than Endpointing, [SpeechEarly] is sent; 0:
	// it is not.
	Early *float64 `json:"early,omitempty"`
	// Vocabulary replaces the terms that recognizers are asked to prefer, and by which words are
	// corrected, from the next utterance on.
	Vocabulary *List[VocabularyEntry] `json:"vocabulary,omitempty"`
	// SilenceAfter is after how many seconds without audio on an open connection the session takes
	// silence to come; 0: never. It is that of the connection alone.
	SilenceAfter *float64 `json:"-"`
}

// SpeechStage is what has happened to an utterance.
type SpeechStage uint8

// The stages of an utterance, in the order in which they come: Early and Resumed any number of
// times, or not at all.
const (
	SpeechBegan   SpeechStage = iota + 1
	SpeechEarly               // there was silence for as long as Update.Early
	SpeechResumed             // it was taken back: speech continues
	SpeechEnded               // it is decided where the utterance ends
	SpeechSettled             // it has its final, or will have none
)

// EndedBy is what ends an utterance.
type EndedBy uint8

// The ends of an utterance.
const (
	EndedBySilence EndedBy = iota + 1
	EndedByMark            // of a client
	EndedByForce           // at the longest duration; the next utterance begins where this one ends
	EndedByStop            // the recording has ended
	EndedByDiscard         // by a mark: it has no final
)

// Speech reports a stage of an utterance, immediately and in the order of the audio but for
// [SpeechSettled], which follows the utterance's final. Its key has the utterance's id.
type Speech struct {
	Stage   SpeechStage
	Channel int
	Number  int64   // of the utterance within its channel, from 0
	Time    float64 // seconds: where speech began or ended, or how much was heard
	Cut     bool    // of SpeechBegan: it continues the utterance before it, which was cut by force
	By      EndedBy // of SpeechEnded
}

// Kind returns KindSpeech.
func (Speech) Kind() Kind { return KindSpeech }

func (Speech) appendTo(b []byte) []byte { return append(b, '}') }

// Marked answers a mark. It follows all that is sent of the utterances before the mark.
type Marked struct {
	Mark Mark
	Time float64 // seconds of audio before the mark
	// Refused: the recording had ended before.
	Refused bool
}

// Kind returns KindMarked.
func (Marked) Kind() Kind { return KindMarked }

func (Marked) appendTo(b []byte) []byte { return append(b, '}') }

package messages

// Filter is a set of kinds: those that a sink wants. The zero value wants none.
type Filter uint32

// FilterOf is the set of the kinds given.
func FilterOf(kinds ...Kind) Filter {
	var f Filter
	for _, k := range kinds {
		f |= 1 << k
	}
	return f
}

// Has reports whether the set holds k.
func (f Filter) Has(k Kind) bool { return k < 32 && f&(1<<k) != 0 }

// With is the set and the kinds given.
func (f Filter) With(kinds ...Kind) Filter { return f | FilterOf(kinds...) }

// Without is the set but for the kinds given.
func (f Filter) Without(kinds ...Kind) Filter { return f &^ FilterOf(kinds...) }

// Flags are the nine switches of messages_config, callback_config and subscribers.
type Flags struct {
	PartialTranscripts bool
	FinalTranscripts   bool
	SpeechEvents       bool
	PreProcessing      bool
	RealtimeProcessing bool
	PostProcessing     bool
	Acknowledgments    bool
	Errors             bool
	Lifecycle          bool
}

// Filter is the plain meaning of the flags: what each gates, without the special rules of the
// socket. A failed ack passes with the acknowledgments or with the errors.
func (f Flags) Filter() Filter {
	var set Filter
	for _, gate := range []struct {
		on    bool
		kinds Filter
	}{
		{f.PartialTranscripts, FilterOf(KindPartial)},
		{f.FinalTranscripts, FilterOf(KindFinal)},
		{f.SpeechEvents, FilterOf(KindSpeechStart, KindSpeechEnd)},
		{f.PreProcessing, FilterOf(KindPreProcessing)},
		{f.RealtimeProcessing, FilterOf(KindTranslation, KindNamedEntityRecognition, KindSentimentAnalysis,
			KindAddonFinal)},
		{f.PostProcessing, FilterOf(KindPostTranscript, KindPostSummarization, KindPostChapterization,
			KindPostFinalTranscript, KindAddonSession)},
		{f.Acknowledgments, FilterOf(KindAudioAck, KindStopAck, KindFailedAck)},
		{f.Errors, FilterOf(KindError, KindFailedAck)},
		{f.Lifecycle, FilterOf(KindStartSession, KindStartRecording, KindEndRecording, KindEndSession)},
	} {
		if gate.on {
			set |= gate.kinds
		}
	}
	return set
}

package messages

// appendFitting appends what follows the envelope of a message about a whole session: as write
// encodes it, or, where that is too long, truncated by one function after the other.
func appendFitting[T any](b []byte, v T, write func(b []byte, v T) []byte, truncate ...func(T) T) []byte {
	start := len(b)
	b = write(b, v)
	for _, cut := range truncate {
		if len(b)-start <= maxData {
			break
		}
		v = cut(v)
		b = write(b[:start], v)
	}
	return b
}

// appendResults writes the message of an add-on about the whole session.
func appendResults(b []byte, kind string, results any, failed *AddonError) []byte {
	b, ok := appendAddonHead(b, kind, failed)
	if !ok {
		return b
	}
	b = append(b, `{"results":`...)
	return append(appendJSON(b, results), "}}"...)
}

func (m PostSummarization) appendTo(b []byte) []byte {
	text := ""
	if m.Results != nil {
		text = *m.Results
	}
	return appendFitting(b, text, func(b []byte, text string) []byte {
		return appendResults(b, m.Kind().String(), text, m.Error)
	}, func(string) string { return "" })
}

func (m PostChapterization) appendTo(b []byte) []byte {
	return appendFitting(b, m.Results, func(b []byte, list List[Chapter]) []byte {
		return appendResults(b, m.Kind().String(), list, m.Error)
	}, chaptersWithoutWords, chaptersWithoutSentences, chaptersWithoutText, empty[Chapter])
}

func (m PostTranscript) appendTo(b []byte) []byte {
	return appendFitting(b, m.Transcription, func(b []byte, t Transcription) []byte {
		return append(appendJSON(appendHead(b, m.Kind().String()), t), '}')
	}, Transcription.withoutWords, Transcription.withoutUtterances, Transcription.withoutText)
}

// finalData is a result without its messages: the outer field hides the inner one, and being nil is
// left out.
type finalData struct {
	plainLiveResult
	Messages *struct{} `json:"messages,omitempty"`
}

// MarshalJSON adds the results of declared add-ons.
func (d finalData) MarshalJSON() ([]byte, error) {
	type plain finalData
	return marshalWith(plain(d), d.Declared)
}

func (m PostFinalTranscript) appendTo(b []byte) []byte {
	return appendFitting(b, m.LiveResult, func(b []byte, r LiveResult) []byte {
		return append(appendJSON(appendHead(b, m.Kind().String()), finalData{plainLiveResult: plainLiveResult(r)}), '}')
	}, LiveResult.withoutWords, LiveResult.withoutDuplicates, LiveResult.withoutAnnotations,
		LiveResult.withoutUtterances, LiveResult.withoutAddons, LiveResult.withoutText)
}

package messages

// appendOfUtterance opens the data of an add-on's message about one utterance.
func appendOfUtterance(b []byte, id string, u Utterance) []byte {
	b = append(b, `{"utterance_id":`...)
	b = appendString(b, id)
	b = append(b, `,"utterance":`...)
	return u.append(b)
}

func (m Translation) appendTo(b []byte) []byte {
	b, ok := appendAddonHead(b, m.Kind(), m.Error)
	if !ok {
		return b
	}
	b = appendOfUtterance(b, m.UtteranceID, m.Utterance)
	b = append(b, `,"original_language":`...)
	b = appendString(b, m.OriginalLanguage)
	b = append(b, `,"target_language":`...)
	b = appendString(b, m.TargetLanguage)
	b = append(b, `,"translated_utterance":`...)
	b = m.TranslatedUtterance.append(b)
	return append(b, "}}"...)
}

func (m NamedEntityRecognition) appendTo(b []byte) []byte {
	b, ok := appendAddonHead(b, m.Kind(), m.Error)
	if !ok {
		return b
	}
	b = appendOfUtterance(b, m.UtteranceID, m.Utterance)
	b = append(b, `,"results":`...)
	b = appendJSON(b, m.Results)
	return append(b, "}}"...)
}

func (m SentimentAnalysis) appendTo(b []byte) []byte {
	b, ok := appendAddonHead(b, m.Kind(), m.Error)
	if !ok {
		return b
	}
	b = appendOfUtterance(b, m.UtteranceID, m.Utterance)
	b = append(b, `,"results":`...)
	b = appendJSON(b, m.Results)
	return append(b, "}}"...)
}

func (m PostSummarization) appendTo(b []byte) []byte {
	b, ok := appendAddonHead(b, m.Kind(), m.Error)
	if !ok {
		return b
	}
	text := ""
	if m.Results != nil {
		text = *m.Results
	}
	b = append(b, `{"results":`...)
	b = appendString(b, text)
	return append(b, "}}"...)
}

func (m PostChapterization) appendTo(b []byte) []byte {
	b, ok := appendAddonHead(b, m.Kind(), m.Error)
	if !ok {
		return b
	}
	b = append(b, `{"results":`...)
	b = appendJSON(b, m.Results)
	return append(b, "}}"...)
}

func (m PostTranscript) appendTo(b []byte) []byte {
	start := len(b)
	b = append(appendJSON(appendHead(b, m.Kind()), m.Transcription), '}')
	if len(b)-start <= maxData {
		return b
	}
	return append(appendJSON(appendHead(b[:start], m.Kind()), m.Transcription.withoutWords()), '}')
}

// finalData is a result without its messages: the outer field hides the inner one, and being nil is left out.
type finalData struct {
	LiveResult
	Messages *struct{} `json:"messages,omitempty"`
}

func (m PostFinalTranscript) appendTo(b []byte) []byte {
	start := len(b)
	b = append(appendJSON(appendHead(b, m.Kind()), finalData{LiveResult: m.LiveResult}), '}')
	if len(b)-start <= maxData {
		return b
	}
	bare := finalData{LiveResult: m.LiveResult.withoutWords()}
	return append(appendJSON(appendHead(b[:start], m.Kind()), bare), '}')
}

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

package messages

// appendOfUtterance opens the data of an add-on's message about one utterance.
func appendOfUtterance(b []byte, id string, u Utterance) []byte {
	b = append(b, `{"utterance_id":`...)
	b = AppendString(b, id)
	b = append(b, `,"utterance":`...)
	return u.append(b)
}

// appendFailed adds to a message without data what the add-on failed for: the utterance and, of a
// translation, the language.
func appendFailed(b []byte, id, language string) []byte {
	b = append(b[:len(b)-1], `,"utterance_id":`...) // the message was complete
	b = AppendString(b, id)
	if language != "" {
		b = append(b, `,"target_language":`...)
		b = AppendString(b, language)
	}
	return append(b, '}')
}

func (m Translation) appendTo(b []byte) []byte {
	b, ok := appendAddonHead(b, m.Kind().String(), m.Error)
	if !ok {
		return appendFailed(b, m.UtteranceID, m.TargetLanguage)
	}
	b = appendOfUtterance(b, m.UtteranceID, m.Utterance)
	b = append(b, `,"original_language":`...)
	b = AppendString(b, m.OriginalLanguage)
	b = append(b, `,"target_language":`...)
	b = AppendString(b, m.TargetLanguage)
	b = append(b, `,"translated_utterance":`...)
	b = m.TranslatedUtterance.append(b)
	return append(b, "}}"...)
}

// appendListed writes the message of an add-on that lists something of an utterance.
func appendListed(b []byte, kind, id string, u Utterance, results any, failed *AddonError) []byte {
	b, ok := appendAddonHead(b, kind, failed)
	if !ok {
		return appendFailed(b, id, "")
	}
	b = appendOfUtterance(b, id, u)
	b = append(b, `,"results":`...)
	b = appendJSON(b, results)
	return append(b, "}}"...)
}

func (m NamedEntityRecognition) appendTo(b []byte) []byte {
	return appendListed(b, m.Kind().String(), m.UtteranceID, m.Utterance, m.Results, m.Error)
}

func (m SentimentAnalysis) appendTo(b []byte) []byte {
	return appendListed(b, m.Kind().String(), m.UtteranceID, m.Utterance, m.Results, m.Error)
}

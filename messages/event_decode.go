package messages

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Decode returns the event's message: the one it carries, or for an event of a stored log the value
// of its body. It reads finals, errors and the messages of add-ons; for the other kinds, of which a
// session needs the key alone, it returns nil.
func (e *Event) Decode() (Message, error) {
	if e.Message != nil {
		return e.Message, nil
	}
	read, ok := decoders[e.Kind]
	if !ok {
		return nil, nil
	}
	m, err := read(e)
	if err != nil {
		return nil, fmt.Errorf("event %d: %w", e.Seq, err)
	}
	return m, nil
}

// decoders read the bodies of logged events by kind.
var decoders = map[Kind]func(*Event) (Message, error){
	KindFinal: func(e *Event) (Message, error) {
		var d struct{ Utterance Utterance }
		_, err := decodeBody(e, &d)
		return Transcript{ID: e.Subject, IsFinal: true, Utterance: d.Utterance}, err
	},
	KindTranslation: func(e *Event) (Message, error) {
		var d struct {
			Utterance           Utterance
			OriginalLanguage    string    `json:"original_language"`
			TranslatedUtterance Utterance `json:"translated_utterance"`
		}
		failed, err := decodeBody(e, &d)
		return Translation{e.Subject, d.Utterance, d.OriginalLanguage, e.Language, d.TranslatedUtterance, failed}, err
	},
	KindNamedEntityRecognition: func(e *Event) (Message, error) {
		var d struct {
			Utterance Utterance
			Results   []Entity
		}
		failed, err := decodeBody(e, &d)
		return NamedEntityRecognition{e.Subject, d.Utterance, d.Results, failed}, err
	},
	KindSentimentAnalysis: func(e *Event) (Message, error) {
		var d struct {
			Utterance Utterance
			Results   []Sentiment
		}
		failed, err := decodeBody(e, &d)
		return SentimentAnalysis{e.Subject, d.Utterance, d.Results, failed}, err
	},
	KindError: func(e *Event) (Message, error) {
		failed, err := decodeBody(e, new(struct{}))
		if failed == nil {
			failed = &AddonError{}
		}
		return Failure{*failed}, err
	},
	KindPostSummarization: func(e *Event) (Message, error) {
		var d struct{ Results *string }
		failed, err := decodeBody(e, &d)
		return PostSummarization{d.Results, failed}, err
	},
	KindAddonFinal: func(e *Event) (Message, error) {
		var d struct {
			Utterance Utterance
			Results   json.RawMessage
		}
		failed, err := decodeBody(e, &d)
		id, addon, _ := strings.Cut(e.Subject, "/")
		return AddonFinal{addon, id, d.Utterance, d.Results, failed}, err
	},
	KindAddonSession: func(e *Event) (Message, error) {
		var d struct{ Results json.RawMessage }
		failed, err := decodeBody(e, &d)
		return AddonSession{e.Subject, d.Results, failed}, err
	},
	KindPostChapterization: func(e *Event) (Message, error) {
		var d struct{ Results List[Chapter] }
		failed, err := decodeBody(e, &d)
		return PostChapterization{d.Results, failed}, err
	},
}

// decodeBody reads the data of a body, and the failure that an add-on reports in place of data.
func decodeBody[T any](e *Event, data *T) (failed *AddonError, err error) {
	body := struct {
		Error *AddonError
		Data  *T
	}{Data: data}
	err = json.Unmarshal(e.Body, &body)
	return body.Error, err
}

package gateway

import (
	"encoding/json"
	"fmt"
	"net/http"

	"steno/messages"
	"steno/session/store"
)

// unavailable is what an add-on answers with that this server has no way to do.
func unavailable(name string) *messages.AddonError {
	return &messages.AddonError{
		StatusCode: http.StatusNotImplemented, Exception: "AddonUnavailable",
		Message: name + " is not available on this server",
	}
}

// missing is the wrapper of such an add-on.
func missing[T any](asked bool, name string) *messages.AddonResult[T] {
	if !asked {
		return nil
	}
	return &messages.AddonResult[T]{IsEmpty: true, Error: unavailable(name)}
}

// notDone is the post-session metadata of a new job: what was asked for, cannot be done here and has no place in the
// result where that could be said.
func notDone(q *messages.PreRecordedRequest) messages.Object {
	not := messages.Object{}
	for _, addon := range []struct {
		asked bool
		name  string
	}{
		{q.CustomVocabulary, "custom_vocabulary"},
		{q.CustomSpelling, "custom_spelling"},
		{q.Subtitles, "subtitles"},
		{q.PIIRedaction, "pii_redaction"},
		{q.PunctuationEnhanced, "punctuation_enhanced"},
	} {
		if addon.asked {
			not[addon.name] = unavailable(addon.name)
		}
	}
	if len(not) == 0 {
		return nil
	}
	return messages.Object{"unavailable": not}
}

// recordedResult is what a session made of the file, with an answer for every add-on that was asked for.
func recordedResult(q *messages.PreRecordedRequest, heard messages.LiveResult) *messages.PreRecordedResult {
	t := heard.Transcription
	if sentences := missing[messages.List[string]](q.Sentences, "sentences"); sentences != nil {
		t.Sentences = []messages.AddonResult[messages.List[string]]{*sentences}
	}
	return &messages.PreRecordedResult{
		Metadata:                 heard.Metadata,
		Transcription:            &t,
		Translation:              missing[messages.List[messages.TranslationResult]](q.Translation, "translation"),
		Summarization:            missing[*string](q.Summarization, "summarization"),
		NamedEntityRecognition:   missing[messages.List[messages.Entity]](q.NamedEntityRecognition, "named_entity_recognition"),
		NameConsistency:          missing[*string](q.NameConsistency, "name_consistency"),
		StructuredDataExtraction: missing[*string](q.StructuredDataExtraction, "structured_data_extraction"),
		SentimentAnalysis:        missing[string](q.SentimentAnalysis, "sentiment_analysis"),
		AudioToLLM:               missing[messages.List[messages.AudioToLLM]](q.AudioToLLM, "audio_to_llm"),
		Sentences:                missing[messages.List[string]](q.Sentences, "sentences"),
		DisplayMode:              missing[messages.List[string]](q.DisplayMode, "display_mode"),
		Diarization:              missing[messages.List[messages.Utterance]](q.Diarization, "diarization"),
	}
}

// announcements are the deliveries that tell of the job's end: one where the request asks for it, else none.
func announcements(r store.Record, q *messages.PreRecordedRequest, o store.Outcome, result *messages.PreRecordedResult) ([]store.Delivery, error) {
	if q == nil {
		return nil, nil
	}
	address, method, ok := q.Callbacks()
	if !ok {
		return nil, nil
	}
	metadata, err := object(r.CustomMetadata)
	if err != nil {
		return nil, fmt.Errorf("read custom metadata: %w", err)
	}
	d := store.Delivery{Account: r.Account, Job: r.ID, Event: messages.EventSuccess, URL: address, Method: method}
	if o.ErrorCode == 0 {
		d.Body, err = json.Marshal(messages.NewCallbackSuccess(r.ID, *result, metadata))
	} else {
		d.Event = messages.EventError
		d.Body, err = json.Marshal(messages.NewCallbackError(r.ID, o.ErrorCode, o.Message, metadata))
	}
	if err != nil {
		return nil, fmt.Errorf("encode callback: %w", err)
	}
	return []store.Delivery{d}, nil
}

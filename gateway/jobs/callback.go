package jobs

import (
	"encoding/json"
	"fmt"

	"steno/gateway/records"
	"steno/messages"
	"steno/session/addon/subtitles"
	"steno/session/store"
)

// completeParams returns the parameters of a job that is done, with what depends on the language of
// its transcript: the most characters that a row of its captions has. nil: they stay as they are.
func completeParams(q *messages.PreRecordedRequest, result *messages.PreRecordedResult) (json.RawMessage, error) {
	if !q.Subtitles || q.SubtitlesConfig.MaximumCharactersPerRow != nil || result.Transcription == nil {
		return nil, nil
	}
	all := *q
	all.SubtitlesConfig.MaximumCharactersPerRow = new(subtitles.RowLength(result.Transcription.Utterances))
	params, err := json.Marshal(all)
	if err != nil {
		return nil, fmt.Errorf("encode parameters: %w", err)
	}
	return params, nil
}

// callbacks returns the deliveries that announce the end of a job: one if the request asks for it.
func callbacks(r store.Record, q *messages.PreRecordedRequest, o store.Outcome,
	result *messages.PreRecordedResult) ([]store.Delivery, error) {
	if q == nil {
		return nil, nil
	}
	address, method, ok := q.Callbacks()
	if !ok {
		return nil, nil
	}
	metadata, err := records.Metadata(r.CustomMetadata)
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

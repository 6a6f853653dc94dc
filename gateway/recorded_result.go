package gateway

import (
	"encoding/json"
	"fmt"

	"steno/messages"
	"steno/session/addon/subtitles"
	"steno/session/store"
)

// settled are the parameters of a job that is done, with what depends on the language that was heard: how many characters a
// row of its captions has at most. nil: they are as they were.
func settled(q *messages.PreRecordedRequest, result *messages.PreRecordedResult) (json.RawMessage, error) {
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

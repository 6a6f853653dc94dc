package jobs

import (
	"encoding/json"
	"fmt"

	"steno/gateway/records"
	"steno/messages"
	"steno/session/addon/subtitles"
	"steno/session/store"
)

// completeParams returns the parameters of a finished job with those that depend on the language of
// its transcript: the most characters per row of its captions. nil: they are unchanged.
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
func (s *Service) callbacks(r store.Record, q *messages.PreRecordedRequest, o store.Outcome,
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
	if o.ErrorCode != 0 {
		d.Event = messages.EventError
	}
	if d.Body, err = s.inDialect(r, q, o); err == nil && d.Body == nil {
		d.Body, err = ownCallback(r.ID, o, result, metadata)
	}
	if err != nil {
		return nil, fmt.Errorf("encode callback: %w", err)
	}
	return []store.Delivery{d}, nil
}

// inDialect returns the body of a callback in the form of the job's dialect; nil: it has none.
func (s *Service) inDialect(r store.Record, q *messages.PreRecordedRequest, o store.Outcome) ([]byte, error) {
	if q.Dialect.Name == "" || s.Callback == nil {
		return nil, nil
	}
	r.Status, r.Result = messages.StatusDone, o.Result
	if o.ErrorCode != 0 {
		r.Status, r.ErrorCode, r.ErrorMessage = messages.StatusError, &o.ErrorCode, o.Message
	}
	return s.Callback(q.Dialect.Name, r)
}

// ownCallback returns the body of a callback in the gateway's own form.
func ownCallback(id string, o store.Outcome, result *messages.PreRecordedResult, metadata messages.Object) ([]byte,
	error) {
	if o.ErrorCode == 0 {
		return json.Marshal(messages.NewCallbackSuccess(id, *result, metadata))
	}
	return json.Marshal(messages.NewCallbackError(id, o.ErrorCode, o.Message, metadata))
}

package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"steno/messages"
	"steno/session/store"
)

// jobOf shows a record as clients see it. The result of a live job lacks its messages: see [Server.writeJob].
func (s *Server) jobOf(ctx context.Context, r store.Record) (messages.Job, error) {
	j := messages.Job{
		ID: r.ID, RequestID: messages.RequestID(r.ID), Version: r.Version, Status: r.Status,
		CreatedAt: messages.Stamp(r.CreatedAt), ErrorCode: r.ErrorCode, Kind: r.Kind,
		RequestParams: r.Params, Result: r.Result,
	}
	if r.CompletedAt != nil {
		at := messages.Stamp(*r.CompletedAt)
		j.CompletedAt = &at
	}
	if len(r.Warnings) > 0 {
		if err := json.Unmarshal(r.Warnings, &j.Warnings); err != nil {
			return j, fmt.Errorf("read warnings: %w", err)
		}
	}
	var err error
	if j.File, err = s.fileOf(ctx, r); err != nil {
		return j, err
	}
	if j.CustomMetadata, err = object(r.CustomMetadata); err != nil {
		return j, fmt.Errorf("read custom metadata: %w", err)
	}
	if j.PostSessionMetadata, err = object(r.PostSessionMetadata); err != nil {
		return j, fmt.Errorf("read post-session metadata: %w", err)
	}
	if r.ErrorMessage != "" {
		j.PostSessionMetadata["error_message"] = r.ErrorMessage
	}
	return j, nil
}

// fileOf is what is known of a job's audio, nil where that is nothing.
func (s *Server) fileOf(ctx context.Context, r store.Record) (*messages.File, error) {
	file := &messages.File{ID: r.ID, AudioDuration: r.Seconds}
	if r.Channels > 0 {
		file.NumberOfChannels = &r.Channels
	}
	if r.Kind != messages.JobPreRecorded {
		if r.Seconds == nil {
			return nil, nil
		}
		return file, nil
	}
	if r.Upload == "" { // to be fetched, or it could not be
		var params struct {
			AudioURL string `json:"audio_url"`
		}
		if err := json.Unmarshal(r.Params, &params); err != nil {
			return nil, fmt.Errorf("read request: %w", err)
		}
		file.Source = &params.AudioURL
		return file, nil
	}
	u, err := s.deps.Store.Upload(ctx, r.Account, r.Upload)
	if errors.Is(err, store.ErrNotFound) { // the job may have let go of it since the record was read
		if now, again := s.deps.Store.Get(ctx, r.Account, r.ID); again == nil && now.Upload != r.Upload {
			return s.fileOf(ctx, now)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("read upload: %w", err)
	}
	file.ID, file.Filename, file.Source = u.ID, known(u.Filename), known(u.Source)
	if file.AudioDuration == nil && u.Duration != nil {
		seconds := duration(*u.Duration)
		file.AudioDuration = &seconds
	}
	if file.NumberOfChannels == nil {
		file.NumberOfChannels = u.Channels
	}
	return file, nil
}

// known is a text, nil where it is empty.
func known(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// object reads a JSON object, keeping its numbers as they are written.
func object(text json.RawMessage) (messages.Object, error) {
	if len(text) == 0 {
		return nil, nil
	}
	var o messages.Object
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	err := dec.Decode(&o)
	return o, err
}

package records

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"steno/gateway/admission"
	"steno/gateway/uploads"
	"steno/messages"
	"steno/session"
	"steno/session/store"
)

// Job returns a record as clients see it. The result of a live job lacks its messages: writeJob
// adds them.
func (s *Service) Job(ctx context.Context, r store.Record) (messages.Job, error) {
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
	lost, err := lossesOf(r)
	if err != nil {
		return j, err
	}
	j.Warnings = append(j.Warnings, lost...)
	if r.Damaged {
		j.Warnings = append(j.Warnings, messages.Warning{Field: "result",
			Message: "the stored result was damaged and is left out"})
	}
	if j.File, err = s.file(ctx, r); err != nil {
		return j, err
	}
	if j.CustomMetadata, err = Metadata(r.CustomMetadata); err != nil {
		return j, fmt.Errorf("read custom metadata: %w", err)
	}
	if j.PostSessionMetadata, err = Metadata(r.PostSessionMetadata); err != nil {
		return j, fmt.Errorf("read post-session metadata: %w", err)
	}
	if r.ErrorMessage != "" {
		j.PostSessionMetadata["error_message"] = r.ErrorMessage
	}
	return j, nil
}

// lossesOf returns warnings of what may have been lost of a live session.
func lossesOf(r store.Record) (list messages.Warnings, err error) {
	if len(r.Losses) == 0 {
		return nil, nil
	}
	request, err := admission.LiveRequest(r)
	if err != nil {
		return nil, err
	}
	format, err := session.Format(request)
	if err != nil {
		return nil, fmt.Errorf("read format: %w", err)
	}
	for _, l := range r.Losses {
		list = append(list, messages.LossWarning(l.Message(format).Text()))
	}
	return list, nil
}

// file describes the audio of a job; nil where nothing is known of it.
func (s *Service) file(ctx context.Context, r store.Record) (*messages.File, error) {
	file := &messages.File{ID: r.ID, AudioDuration: r.Seconds}
	if r.Channels > 0 {
		file.NumberOfChannels = &r.Channels
	}
	switch {
	case r.Kind == messages.JobPreRecorded && r.Upload != "":
		return s.uploadedFile(ctx, r, file)
	case r.Kind == messages.JobPreRecorded: // not fetched yet, or fetching failed
		var params struct {
			AudioURL string `json:"audio_url"`
		}
		if err := json.Unmarshal(r.Params, &params); err != nil {
			return nil, fmt.Errorf("read request: %w", err)
		}
		file.Source = &params.AudioURL
	case r.Seconds == nil:
		return nil, nil
	}
	return file, nil
}

// uploadedFile adds what is known of the job's upload to a file.
func (s *Service) uploadedFile(ctx context.Context, r store.Record, file *messages.File) (*messages.File, error) {
	u, err := s.Store.Upload(ctx, r.Account, r.Upload)
	if errors.Is(err, store.ErrNotFound) { // the job may have replaced it since the record was read
		if now, again := s.Store.Get(ctx, r.Account, r.ID); again == nil && now.Upload != r.Upload {
			return s.file(ctx, now)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("read upload: %w", err)
	}
	file.ID, file.Filename, file.Source = u.ID, optional(u.Filename), optional(u.Source)
	if file.AudioDuration == nil && u.Duration != nil {
		seconds := uploads.Duration(*u.Duration)
		file.AudioDuration = &seconds
	}
	if file.NumberOfChannels == nil {
		file.NumberOfChannels = u.Channels
	}
	return file, nil
}

// optional returns a text, nil where it is empty.
func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// Metadata reads the custom metadata of a record, or its post-session metadata. Numbers stay as
// they are written.
func Metadata(text json.RawMessage) (messages.Object, error) {
	if len(text) == 0 {
		return nil, nil
	}
	var o messages.Object
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	err := dec.Decode(&o)
	return o, err
}

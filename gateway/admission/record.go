package admission

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"steno/messages"
	"steno/session/store"
)

// NewRecord returns the record of a new job of any kind: the request as it was parsed, its custom metadata (nil for none),
// and the terms on which it was accepted.
func NewRecord(account string, kind messages.JobKind, request any, custom messages.Object, t Terms) (store.Record, error) {
	params, err := json.Marshal(request)
	if err != nil {
		return store.Record{}, fmt.Errorf("encode request: %w", err)
	}
	var metadata json.RawMessage
	if custom != nil {
		if metadata, err = json.Marshal(custom); err != nil {
			return store.Record{}, fmt.Errorf("encode metadata: %w", err)
		}
	}
	record := store.Record{
		ID: uuid.NewString(), Account: account, Kind: kind, Status: messages.StatusQueued, Version: messages.Version,
		CreatedAt: messages.Stamp(time.Now()).Time, CustomMetadata: metadata, Params: params,
	}
	return record, t.keep(&record)
}

// keep puts the terms into a new record.
func (t Terms) keep(r *store.Record) error {
	var err error
	if t.Languages != nil {
		if r.Languages, err = json.Marshal(t.Languages); err != nil {
			return fmt.Errorf("encode languages: %w", err)
		}
	}
	if len(t.Warnings) > 0 {
		if r.Warnings, err = json.Marshal(t.Warnings); err != nil {
			return fmt.Errorf("encode warnings: %w", err)
		}
	}
	return nil
}

// Languages returns the languages that a record's job runs with: those of its terms, or else of its request.
func Languages(r store.Record, request messages.LanguageConfig) (messages.List[string], error) {
	if len(r.Languages) == 0 {
		return request.Languages, nil
	}
	var codes messages.List[string]
	if err := json.Unmarshal(r.Languages, &codes); err != nil {
		return nil, fmt.Errorf("read languages: %w", err)
	}
	return codes, nil
}

// LiveRequest returns the request of a live session's record, with the languages that the session runs with.
func LiveRequest(r store.Record) (*messages.LiveRequest, error) {
	request, fault := messages.ParseLive(r.Params)
	if fault != nil {
		// Not wrapped: a fault of what is stored must not become a refusal of the current request.
		return nil, errors.New("stored request: " + fault.Error())
	}
	var err error
	request.LanguageConfig.Languages, err = Languages(r, request.LanguageConfig)
	return request, err
}

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

// NewRecord returns the record of a new job. It keeps the languages that the job runs with, nil for
// those of the request, and the warnings, so that the job is the same whenever it runs.
func NewRecord(account string, request Request, languages []string) (store.Record, error) {
	record := store.Record{
		ID: uuid.NewString(), Account: account, Kind: request.Kind, Status: messages.StatusQueued,
		Version:   messages.Version,
		CreatedAt: messages.Stamp(time.Now()).Time,
	}
	for _, part := range []struct {
		into  *json.RawMessage
		value any
		given bool
	}{
		{&record.Params, request.Params, true},
		{&record.CustomMetadata, request.Metadata, request.Metadata != nil},
		{&record.Languages, languages, languages != nil},
		{&record.Warnings, request.Warnings, len(request.Warnings) > 0},
	} {
		if !part.given {
			continue
		}
		text, err := json.Marshal(part.value)
		if err != nil {
			return store.Record{}, fmt.Errorf("encode request: %w", err)
		}
		*part.into = text
	}
	return record, nil
}

// Languages returns the languages that a record's job runs with: those of its terms, or else of its
// request.
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

// LiveRequest returns the request of a live session's record, with the languages that the session
// runs with, and with those of the declared add-ons that it asks for.
func LiveRequest(r store.Record, declared ...messages.Declaration) (*messages.LiveRequest, error) {
	request, fault := messages.ParseLive(r.Params, declared...)
	if fault != nil {
		// Not wrapped: a fault of what is stored must not become a refusal of the current request.
		return nil, errors.New("stored request: " + fault.Error())
	}
	var err error
	request.LanguageConfig.Languages, err = Languages(r, request.LanguageConfig)
	return request, err
}

// transient returns the parts of a job that are to be erased at its end.
func (p *Policy) transient(account string, asked messages.Storage) (parts store.Parts) {
	if p.Transient != nil {
		parts = p.Transient(account)
	}
	for _, one := range []struct {
		kept  *bool
		parts store.Parts
	}{{asked.StoreAudio, store.PartAudio}, {asked.StoreTranscripts, store.PartTranscripts | store.PartMessages}} {
		switch {
		case one.kept == nil:
		case *one.kept:
			parts &^= one.parts
		default:
			parts |= one.parts
		}
	}
	return parts
}

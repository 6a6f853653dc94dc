package gateway

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"steno/gateway/admission"
	"steno/gateway/web"
	"steno/messages"
	"steno/session/store"
)

// createRecorded puts a recorded file's job into the queue.
func (s *Server) createRecorded(w http.ResponseWriter, r *http.Request) error {
	body, err := web.ReadBody(w, r, s.cfg.Limits.Body)
	if err != nil {
		return err
	}
	request, fault := messages.ParsePreRecorded(body)
	if fault != nil {
		return fault
	}
	if err := s.disk.Check(); err != nil {
		return err
	}
	upload, err := s.audioOf(r, request)
	if err != nil {
		return err
	}
	record, warnings, err := s.enqueue(r, request, upload)
	if err != nil {
		return err
	}
	s.policy.Announce(w, r, record.ID, warnings)
	web.WriteJSON(w, http.StatusCreated, messages.Created{
		ID: record.ID, ResultURL: s.addresses.Base(r) + "/v2/pre-recorded/" + record.ID, Warnings: warnings,
	})
	return nil
}

// audioOf is the upload that the request's audio_url names, empty where the audio is to be fetched.
func (s *Server) audioOf(r *http.Request, request *messages.PreRecordedRequest) (string, error) {
	id, ours := s.addresses.FileID(r, request.AudioURL)
	if id != "" {
		_, err := s.deps.Store.Upload(r.Context(), web.Account(r), id)
		if err == nil {
			return id, nil
		}
		if !errors.Is(err, store.ErrNotFound) {
			return "", err
		}
	}
	if ours {
		return "", web.Problem(http.StatusUnprocessableEntity, "audio_url names a file that does not exist or was deleted")
	}
	return "", s.policy.CheckAddress("audio_url", request.AudioURL)
}

// enqueue makes the record of a job if it can be done here and the account may have one more. The warnings are for whoever
// asked for it.
func (s *Server) enqueue(r *http.Request, request *messages.PreRecordedRequest, upload string) (store.Record, messages.Warnings, error) {
	terms, err := s.canDo(r, request)
	if err != nil {
		return store.Record{}, nil, err
	}
	record, err := newJob(web.Account(r), request, upload, terms)
	if err != nil {
		return store.Record{}, nil, err
	}
	err = s.deps.Store.Create(r.Context(), record)
	if upload != "" && errors.Is(err, store.ErrNotFound) { // deleted since it was looked up
		return store.Record{}, nil, web.Problem(http.StatusUnprocessableEntity, "audio_url names a file that was deleted")
	}
	if err != nil {
		return store.Record{}, nil, fmt.Errorf("create record: %w", err)
	}
	return record, terms.Warnings, nil
}

func (s *Server) canDo(r *http.Request, request *messages.PreRecordedRequest) (admission.Terms, error) {
	var none admission.Terms
	if err := s.needMedia(); err != nil {
		return none, err
	}
	terms, err := s.policy.Accept(r.Context(), admission.Request{
		Model: request.Model, Languages: request.LanguageConfig.Languages, Strict: request.Strict,
		Warnings: request.Warnings(), Query: r.URL.Query(),
	})
	if err != nil {
		return none, err
	}
	if c := request.PIIRedactionConfig; request.PIIRedaction && !s.deps.Ways.Findable(c) {
		return none, web.Problem(http.StatusUnprocessableEntity,
			"pii_redaction_config.entity_types: nothing on this server finds any of "+strings.Join(c.EntityTypes, ", "))
	}
	if address, _, ok := request.Callbacks(); ok {
		if err := s.policy.CheckAddress("callback_config.url", address); err != nil {
			return none, err
		}
	}
	beyond, _, err := s.deps.Store.List(r.Context(), web.Account(r), messages.ListQuery{
		Limit: 1, Offset: s.cfg.Limits.KeyJobs - 1, Kinds: []messages.JobKind{messages.JobPreRecorded},
		Statuses: []messages.Status{messages.StatusQueued, messages.StatusProcessing},
	})
	if err != nil {
		return none, fmt.Errorf("count jobs: %w", err)
	}
	if len(beyond) > 0 {
		return none, web.Refuse(http.StatusTooManyRequests, "too many unfinished jobs of this API key", s.cfg.Limits.RetryAfter)
	}
	return terms, nil
}

// canTake refuses files where there is no decoder for them, or no room.
func (s *Server) canTake() error {
	if err := s.needMedia(); err != nil {
		return err
	}
	return s.disk.Check()
}

// needMedia refuses what needs a decoder where there is none.
func (s *Server) needMedia() error {
	if s.deps.Media == nil {
		why := "recorded files cannot be decoded on this server"
		if s.deps.NoMedia != "" {
			why += ": " + s.deps.NoMedia
		}
		return web.Problem(http.StatusNotImplemented, why)
	}
	return nil
}

func newJob(account string, request *messages.PreRecordedRequest, upload string, t admission.Terms) (store.Record, error) {
	record, err := admission.NewRecord(account, messages.JobPreRecorded, request, request.CustomMetadata, t)
	record.Upload = upload
	return record, err
}

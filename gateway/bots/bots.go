// Package bots transcribes what meeting bots send, in one request that waits for the transcript.
package bots

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"steno/audio/media"
	"steno/gateway/admission"
	"steno/gateway/jobs"
	"steno/gateway/limits"
	"steno/gateway/uploads"
	"steno/gateway/web"
	"steno/messages"
	"steno/session/store"
)

// pollInterval is the time between two looks at the job.
const pollInterval = 100 * time.Millisecond

// Store is what the package needs of the store.
type Store interface {
	store.Records
	store.Uploads
}

// Deps are the parts that a Service works with.
type Deps struct {
	Store     Store
	Uploads   *uploads.Service
	Jobs      *jobs.Service
	Addresses *web.Addresses
	Policy    *admission.Policy
	InFlight  *web.InFlight
	Limits    limits.Limits
	Done      <-chan struct{} // closed when the server ends; waiting bots are refused then
}

// Service answers requests of meeting bots. Its methods may be called from any goroutine.
type Service struct{ Deps }

// New returns a service.
func New(d Deps) *Service { return &Service{d} }

// Transcribe transcribes what a meeting bot sends and answers when that is done. A bot asks once
// and does not look for jobs, so the job is deleted with the answer. A job that takes too long is
// kept, and can be read as any other.
func (s *Service) Transcribe(w http.ResponseWriter, r *http.Request) error {
	if err := s.Uploads.Check(r); err != nil {
		return err
	}
	if !s.InFlight.Enter() {
		return web.Refuse(http.StatusServiceUnavailable, "shutting down", s.Limits.RetryAfter)
	}
	defer s.InFlight.Leave()
	record, err := s.create(w, r)
	if err != nil {
		return err
	}
	answer, err := s.await(r.Context(), record)
	if err != nil {
		return err
	}
	web.WriteJSON(w, http.StatusOK, answer)
	return nil
}

// create makes a job of a bot's form.
func (s *Service) create(w http.ResponseWriter, r *http.Request) (store.Record, error) {
	var sent uploads.File
	defer func() { sent.Discard() }()
	fields, err := s.Uploads.ReadFields(w, r, "audio", &sent)
	if err != nil {
		return store.Record{}, err
	}
	request, fault := messages.ParseBotForm(fields)
	if fault != nil {
		return store.Record{}, fault
	}
	if !sent.Received() {
		return store.Record{}, uploads.BadForm("audio must be given")
	}
	file, raw, err := s.playable(r.Context(), uploads.OwnerOf(r), &sent, request.SampleRate)
	if err != nil {
		return store.Record{}, err
	}
	defer file.Discard()
	u := uploads.OwnerOf(r).Upload(sent.Name)
	upload, err := s.Uploads.Commit(r.Context(), file.Writer, u, sent.Type, (*media.Decoder).Probe)
	if err != nil {
		if p := web.AsProblem(err); raw && p.Status == http.StatusUnsupportedMediaType {
			err = uploads.BadForm("audio: "+p.Message, "sample_rate must be given where audio holds raw samples")
		}
		return store.Record{}, err
	}
	return s.enqueue(w, r, request, upload)
}

func (s *Service) enqueue(w http.ResponseWriter, r *http.Request, request *messages.BotRequest,
	upload store.Upload) (store.Record, error) {
	job := messages.NewPreRecordedRequest(s.Addresses.File(r, upload.ID), request.LanguageConfig)
	queued, err := s.Jobs.Queue(w, r, job, upload.ID)
	if err != nil {
		// No client knows the id of the upload. If it cannot be deleted now, the sweeper deletes it
		// later.
		_ = s.Store.DeleteUpload(r.Context(), web.Account(r), upload.ID)
		return store.Record{}, err
	}
	s.Policy.Announce(w, r, queued.Record.ID, append(request.Warnings(), queued.Warnings...))
	return queued.Record, nil
}

// await waits for the end of a job and returns the answer for the bot.
func (s *Service) await(ctx context.Context, record store.Record) (messages.BotAnswer, error) {
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	late := time.NewTimer(s.Limits.BotWait)
	defer late.Stop()
	for {
		select {
		case <-ctx.Done():
			return messages.BotAnswer{}, ctx.Err()
		case <-s.Done:
			return messages.BotAnswer{}, web.Refuse(http.StatusServiceUnavailable, "shutting down", s.Limits.RetryAfter)
		case <-late.C:
			return messages.BotError(strconv.Itoa(http.StatusGatewayTimeout)), nil
		case <-tick.C:
		}
		now, err := s.Store.Get(ctx, record.Account, record.ID)
		if err != nil {
			return messages.BotAnswer{}, err
		}
		if now.Finished() {
			return s.answer(ctx, now)
		}
	}
}

// answer deletes a finished job and returns the answer for the bot.
func (s *Service) answer(ctx context.Context, r store.Record) (messages.BotAnswer, error) {
	if err := s.Store.Delete(ctx, r.Account, r.ID); err != nil {
		return messages.BotAnswer{}, err
	}
	if r.Status == messages.StatusError {
		return messages.BotError(strconv.Itoa(*r.ErrorCode)), nil
	}
	var result messages.PreRecordedResult
	if err := json.Unmarshal(r.Result, &result); err != nil {
		return messages.BotAnswer{}, fmt.Errorf("read result: %w", err)
	}
	if result.Transcription == nil {
		return messages.BotAnswer{}, errors.New("result has no transcription")
	}
	return messages.BotDone(*result.Transcription), nil
}

package jobs

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"steno/audio/media"
	"steno/gateway/admission"
	"steno/gateway/outbound"
	"steno/gateway/uploads"
	"steno/gateway/web"
	"steno/messages"
	"steno/session/store"
)

// Create queues a job.
func (s *Service) Create(w http.ResponseWriter, r *http.Request) error {
	body, err := web.ReadBody(w, r, s.Limits.Body)
	if err != nil {
		return err
	}
	request, fault := messages.ParsePreRecorded(body, s.Addons.Declarations()...)
	if fault != nil {
		return fault
	}
	job, err := s.Queue(w, r, request, "")
	if err != nil {
		return err
	}
	s.Policy.Announce(w, r, job.Record.ID, job.Warnings)
	web.WriteJSON(w, http.StatusCreated, messages.Created{
		ID: job.Record.ID, ResultURL: s.Addresses.Base(r) + "/v2/pre-recorded/" + job.Record.ID, Warnings: job.Warnings,
	})
	return nil
}

// Queue is [Service.Submit] of a job whose client does not wait.
func (s *Service) Queue(w http.ResponseWriter, r *http.Request, request *messages.PreRecordedRequest,
	upload string) (*Awaited, error) {
	return s.submit(w, r, request, upload, false)
}

// submit queues a job. If its client waits, the waiter is added before the job can start.
func (s *Service) submit(w http.ResponseWriter, r *http.Request, request *messages.PreRecordedRequest, upload string,
	waits bool) (*Awaited, error) {
	if err := s.Disk.Check(); err != nil {
		return nil, err
	}
	if upload == "" {
		var err error
		if upload, err = s.uploadOf(r, request); err != nil {
			return nil, err
		}
	}
	if err := s.noteTracks(r, request, upload); err != nil {
		return nil, err
	}
	job := &Awaited{service: s}
	var err error
	if job.Record, job.Warnings, err = s.accept(r, request); err != nil {
		return nil, err
	}
	if _, err = s.Accounts.Admit(r.Context(), w.Header(), job.Record.Account, false); err != nil {
		return nil, err
	}
	if waits {
		job.waiter = s.waiters.add(job.Record.ID)
	}
	job.Record.Upload = upload
	if err := s.store(r.Context(), job.Record); err != nil {
		job.Release()
		if waits && r.Context().Err() != nil { // it may be stored nevertheless
			err = errors.Join(err, job.cancel(r.Context()))
		}
		return nil, err
	}
	return job, nil
}

// uploadOf returns the upload that an audio_url names; empty: the file must be fetched.
func (s *Service) uploadOf(r *http.Request, request *messages.PreRecordedRequest) (upload string, err error) {
	if upload, err = s.Uploads.Find(r, request.AudioURL); err != nil || upload != "" {
		return upload, err
	}
	if err := s.Uploads.CheckRoom(r); err != nil {
		return "", err
	}
	return s.fetchPrivate(r, request)
}

// fetchPrivate fetches the file of an audio_url with user and password while the client waits, so
// that these are not stored, and returns the id of its upload; empty: the URL has none, and the
// file is fetched later.
func (s *Service) fetchPrivate(r *http.Request, request *messages.PreRecordedRequest) (upload string, err error) {
	bare, user := outbound.SplitUser(request.AudioURL)
	if user == nil {
		return "", nil
	}
	if err := s.Uploads.CheckMedia(r.Context()); err != nil {
		return "", err
	}
	fetched, err := s.Uploads.FetchFor(r.Context(), uploads.OwnerOf(r), request.AudioURL, (*media.Decoder).Probe)
	request.AudioURL = bare
	return fetched.ID, err
}

// noteTracks notes in the request which tracks of its upload are left out, and returns a problem if
// there is no such track.
func (s *Service) noteTracks(r *http.Request, request *messages.PreRecordedRequest, upload string) error {
	if upload == "" {
		return nil
	}
	omitted, err := s.Uploads.Omitted(r.Context(), web.Account(r), upload, uploads.TrackOf(request.AudioTrack))
	for _, text := range omitted {
		request.Note("audio_track", text)
	}
	if errors.Is(err, store.ErrNotFound) { // deleted since Find: the store will report it
		return nil
	}
	return err
}

// accept returns the record of an accepted job, not stored yet, and the warnings for the client.
func (s *Service) accept(r *http.Request, request *messages.PreRecordedRequest) (store.Record, messages.Warnings,
	error) {
	if err := s.Uploads.CheckMedia(r.Context()); err != nil {
		return store.Record{}, nil, err
	}
	s.Addons.Complete(request)
	asked := admission.PreRecorded(request)
	asked.Check = func(languages []string) (messages.Warnings, error) { return s.Addons.Check(request, languages) }
	record, warnings, err := s.Policy.Accept(r, asked)
	if request.CallbackAuth != "" {
		record.CallbackAuth = []byte(request.CallbackAuth)
	}
	if err == nil {
		err = s.check(r, request)
	}
	return record, warnings, err
}

// store stores the record of a job, which may start then.
func (s *Service) store(ctx context.Context, record store.Record) error {
	err := s.Store.Create(ctx, record)
	if record.Upload != "" && errors.Is(err, store.ErrNotFound) { // deleted meanwhile
		return web.Problem(http.StatusUnprocessableEntity, "audio_url names a file that was deleted")
	}
	if err != nil {
		return fmt.Errorf("create record: %w", err)
	}
	return nil
}

// check returns a problem for a request whose callback address cannot be used, or that exceeds the
// number of its account's jobs.
func (s *Service) check(r *http.Request, request *messages.PreRecordedRequest) error {
	if address, _, ok := request.Callbacks(); ok {
		if err := s.Policy.CheckAddress("callback_config.url", address); err != nil {
			return err
		}
	}
	return s.checkJobs(r.Context(), web.Account(r))
}

// checkJobs returns a problem, 429, for an account that has as many unfinished jobs as it may.
func (s *Service) checkJobs(ctx context.Context, account string) error {
	beyond, _, err := s.Store.List(ctx, account, messages.ListQuery{
		Limit: 1, Offset: s.Limits.KeyJobs - 1, Kinds: []messages.JobKind{messages.JobPreRecorded},
		Statuses: []messages.Status{messages.StatusQueued, messages.StatusProcessing},
	})
	if err != nil {
		return fmt.Errorf("count jobs: %w", err)
	}
	if len(beyond) > 0 {
		return web.Refuse(http.StatusTooManyRequests, "too many unfinished jobs of this API key", s.Limits.RetryAfter)
	}
	return nil
}

// Package recorded is what dialects ask the gateway for over HTTP: it receives recorded files, has
// them transcribed as jobs like any other, and reads, lists and deletes these. It knows no dialect.
//
// Everything happens on the goroutines of requests; here are no locks.
package recorded

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/google/uuid"

	"steno/audio/media"
	"steno/gateway/admission"
	"steno/gateway/dialect"
	"steno/gateway/jobs"
	"steno/gateway/limits"
	"steno/gateway/records"
	"steno/gateway/tokens"
	"steno/gateway/uploads"
	"steno/gateway/web"
	"steno/messages"
	"steno/session/addon/subtitles"
	"steno/session/store"
)

// Deps are the parts that a Service works with.
type Deps struct {
	Store     store.Store
	Models    func(ctx context.Context) []messages.Model
	Uploads   *uploads.Service
	Jobs      *jobs.Service
	Records   *records.Service
	Tokens    *tokens.Service
	Addresses *web.Addresses
	Policy    *admission.Policy
	InFlight  *web.InFlight
	Limits    limits.Limits
}

// Service makes the services of dialects. Its methods may be called from any goroutine.
type Service struct{ Deps }

// New returns a service.
func New(d Deps) *Service { return &Service{d} }

// For returns the services for the operations of a dialect. Its jobs are marked with the name.
func (s *Service) For(name string) dialect.Services {
	return dialect.Services{
		MaxBody: s.Limits.Body, Models: s.Models, ReadForm: s.readForm, ReadFile: s.readFile, FileURL: s.Addresses.File,
		Submit: func(w http.ResponseWriter, r *http.Request, t dialect.Task) (*dialect.Job, error) {
			t.Request.Dialect = messages.Dialect{Name: name, Options: t.Options}
			return s.submit(w, r, t)
		},
		Job: s.job, Jobs: s.jobs, Delete: s.delete, Grant: s.Tokens.Grant, Subtitles: makeSubtitles,
	}
}

// readForm implements dialect.Services.
func (s *Service) readForm(w http.ResponseWriter, r *http.Request, file string, unread ...string) (*dialect.Received,
	error) {
	return s.receive(r, func(f *uploads.File) (map[string][]string, error) {
		return s.Uploads.ReadFields(w, r, file, f, unread...)
	})
}

// readFile implements dialect.Services.
func (s *Service) readFile(w http.ResponseWriter, r *http.Request, overhead int64,
	read func(body io.Reader, file io.Writer) error) (*dialect.Received, error) {
	return s.receive(r, func(f *uploads.File) (map[string][]string, error) {
		return nil, s.Uploads.ReadFile(w, r, overhead, f, read)
	})
}

// receive receives a file by take. The request is in flight until it is committed or discarded.
func (s *Service) receive(r *http.Request, take func(*uploads.File) (map[string][]string, error)) (*dialect.Received,
	error) {
	if err := s.Uploads.Check(r); err != nil {
		return nil, err
	}
	if !s.InFlight.Enter() {
		return nil, web.Refuse(http.StatusServiceUnavailable, "shutting down", s.Limits.RetryAfter)
	}
	defer s.InFlight.Leave()
	file := new(uploads.File)
	fields, err := take(file)
	if err != nil {
		file.Discard()
		return nil, err
	}
	return &dialect.Received{
		Fields: fields, Sent: file.Received(), Name: file.Name, Size: file.Size, Discard: file.Discard,
		Commit: func(kind string) (string, error) { return s.commit(r, file, kind) },
	}, nil
}

// commit keeps a file as an upload.
func (s *Service) commit(r *http.Request, file *uploads.File, kind string) (string, error) {
	if kind == "" {
		kind = file.Type
	}
	u, err := s.Uploads.Commit(r.Context(), file.Writer, uploads.OwnerOf(r).Upload(file.Name), kind,
		(*media.Decoder).Probe)
	web.TrailOf(r).Concern(u.ID)
	return u.ID, err
}

// submit implements dialect.Services.
func (s *Service) submit(w http.ResponseWriter, r *http.Request, t dialect.Task) (*dialect.Job, error) {
	if t.Upload != "" {
		t.Request.AudioURL = s.Addresses.File(r, t.Upload)
	}
	queue := s.Jobs.Queue
	if t.Waits {
		queue = s.Jobs.Submit
	}
	job, err := queue(w, withoutQuery(r), t.Request, t.Upload)
	if err != nil {
		if t.Own && t.Upload != "" {
			// No client knows its id. If it cannot be deleted now, the sweeper deletes it later.
			_ = s.Store.DeleteUpload(r.Context(), web.Account(r), t.Upload)
		}
		return nil, err
	}
	s.Policy.Announce(w, r, job.Record.ID, job.Warnings)
	return &dialect.Job{ID: job.Record.ID, At: job.Record.CreatedAt, Warnings: job.Warnings, Await: job.Await,
		Release: job.Release}, nil
}

// withoutQuery returns the request without its query, which is the dialect's alone.
func withoutQuery(r *http.Request) *http.Request {
	changed, address := *r, *r.URL
	address.RawQuery, changed.URL = "", &address
	return &changed
}

// makeSubtitles implements dialect.Services.
func makeSubtitles(us []messages.Utterance, format string, characters int, seconds float64) (string, error) {
	c := messages.SubtitlesConfig{Style: "default"}
	if characters > 0 {
		c.MaximumCharactersPerRow, c.MaximumRowsPerCaption = &characters, new(1)
	}
	return subtitles.Make(us, c, format, seconds)
}

// find returns a job of a recorded file.
func (s *Service) find(r *http.Request, id string) (store.Record, error) {
	parsed, err := uuid.Parse(id)
	if err != nil {
		return store.Record{}, store.ErrNotFound
	}
	record, err := s.Store.Get(r.Context(), web.Account(r), parsed.String())
	if err == nil && record.Kind != messages.JobPreRecorded {
		err = store.ErrNotFound
	}
	return record, err
}

// job implements dialect.Services.
func (s *Service) job(r *http.Request, id string) (*dialect.Record, error) {
	record, err := s.find(r, id)
	if err != nil {
		return nil, err
	}
	return Record(record)
}

// jobs implements dialect.Services. Jobs that are deleted meanwhile are left out.
func (s *Service) jobs(r *http.Request, q messages.ListQuery) (page []*dialect.Record, more bool, err error) {
	q.Kinds = []messages.JobKind{messages.JobPreRecorded}
	listed, more, err := s.Store.List(r.Context(), web.Account(r), q)
	if err != nil {
		return nil, false, err
	}
	for _, l := range listed {
		record, err := s.Store.Get(r.Context(), web.Account(r), l.ID)
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, false, err
		}
		record.Result = nil // a list has none
		one, err := Record(record)
		if err != nil {
			return nil, false, err
		}
		page = append(page, one)
	}
	return page, more, nil
}

// delete implements dialect.Services.
func (s *Service) delete(r *http.Request, id string) error {
	record, err := s.find(r, id)
	if err != nil {
		return err
	}
	if err := s.Store.Cancel(r.Context(), record.Account, record.ID); err != nil {
		return err
	}
	s.Records.Removed(record.ID)
	return nil
}

// Record returns a record as dialects see it. One whose result was taken away has none.
func Record(r store.Record) (*dialect.Record, error) {
	own := &dialect.Record{ID: r.ID, Status: r.Status, At: r.CreatedAt, Completed: r.CompletedAt, Params: r.Params,
		Upload: r.Upload, Seconds: r.Seconds}
	of, err := messages.DialectOf(r.Params)
	if err != nil {
		return nil, fmt.Errorf("read request: %w", err)
	}
	own.Dialect, own.Options = of.Name, of.Options
	if own.Metadata, err = records.Metadata(r.CustomMetadata); err != nil {
		return nil, fmt.Errorf("read custom metadata: %w", err)
	}
	if r.Status == messages.StatusError || r.Status == messages.StatusDone && r.Result != nil {
		own.Result, err = jobs.ResultOf(r)
	}
	if own.Failed, _ = errors.AsType[*messages.Problem](err); own.Failed != nil {
		err = nil
	}
	return own, err
}

package gateway

import (
	"errors"
	"io"
	"net/http"

	"github.com/google/uuid"

	"steno/gateway/web"
	"steno/messages"
	"steno/session/store"
)

// anyKind stands for jobs of both kinds.
const anyKind messages.JobKind = ""

// record finds the record of the request's path, if it is of the kind.
func (s *Server) record(r *http.Request, kind messages.JobKind) (store.Record, error) {
	id, err := uuid.Parse(r.PathValue("id"))
	if err != nil {
		return store.Record{}, store.ErrNotFound
	}
	record, err := s.deps.Store.Get(r.Context(), web.Account(r), id.String())
	if err == nil && kind != anyKind && record.Kind != kind {
		return store.Record{}, store.ErrNotFound
	}
	return record, err
}

func (s *Server) getJob(kind messages.JobKind) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		record, err := s.record(r, kind)
		if err != nil {
			return err
		}
		job, err := s.show(r.Context(), readable(r, record))
		if err != nil {
			return err
		}
		return s.stream(w, r, func(out io.Writer) error {
			if err := s.writeJob(r.Context(), out, job); err != nil {
				return err
			}
			_, err := io.WriteString(out, "\n")
			return err
		})
	}
}

// deleteJob removes a job; one that is not finished only if it is to be cancelled. No callback tells of that: those that
// wait go with the job.
func (s *Server) deleteJob(kind messages.JobKind) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		q, fault := messages.ParseDeleteQuery(r.URL.Query())
		if fault != nil {
			return fault
		}
		record, err := s.record(r, kind)
		if err != nil {
			return err
		}
		remove := s.deps.Store.Delete
		if q.Cancel {
			remove = s.deps.Store.Cancel
		}
		err = remove(r.Context(), record.Account, record.ID)
		if errors.Is(err, store.ErrNotFinished) {
			return &messages.Problem{
				Status: http.StatusForbidden, Message: "job is not finished; ?cancel=true cancels and deletes it", Err: err,
			}
		}
		if err == nil || s.isGone(r, record) { // all but its files may be gone
			s.sessions.forget(record.ID)
			s.held.lose(record.ID)
		}
		if err != nil {
			return err
		}
		w.WriteHeader(http.StatusAccepted)
		return nil
	}
}

func (s *Server) isGone(r *http.Request, record store.Record) bool {
	_, err := s.deps.Store.Get(r.Context(), record.Account, record.ID)
	return errors.Is(err, store.ErrNotFound)
}

// getFile answers with a job's audio: of a live job the recording, of a recorded file the file as it came.
func (s *Server) getFile(kind messages.JobKind) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		record, err := s.record(r, kind)
		if err != nil {
			return err
		}
		if neverConnected(record) {
			return noFile()
		}
		if record.Kind == messages.JobLive {
			return s.serveRecording(w, r, record)
		}
		if record.Upload != "" {
			err = s.serveUpload(w, r, record.Upload)
		}
		if record.Upload == "" || errors.Is(err, store.ErrNotFound) {
			return noFile()
		}
		return err
	}
}

func noFile() error { return web.Problem(http.StatusNotFound, "there is no file of this job") }

// neverConnected tells whether no socket ever came to a live session: it still waits for one, or has waited too long.
func neverConnected(r store.Record) bool {
	expired := r.ErrorCode != nil && *r.ErrorCode == http.StatusRequestTimeout
	return r.Kind == messages.JobLive && (r.Status == messages.StatusQueued || expired)
}

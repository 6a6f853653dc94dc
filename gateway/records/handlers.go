package records

import (
	"errors"
	"io"
	"net/http"

	"github.com/google/uuid"

	"steno/gateway/limits"
	"steno/gateway/lru"
	"steno/gateway/uploads"
	"steno/gateway/web"
	"steno/messages"
	"steno/session/semaphore"
	"steno/session/store"
	"steno/session/store/metadata"
)

// AnyKind selects jobs of both kinds.
const AnyKind messages.JobKind = ""

// Store is what the package needs of the store.
type Store interface {
	store.Records
	store.Uploads
	store.Sessions
}

// Deps are the parts that a Service works with. None may be nil.
type Deps struct {
	Store     Store
	Addresses *web.Addresses
	Uploads   *uploads.Service
	Limits    limits.Limits
	// Removed is called for each job that was deleted or cancelled, so that work on it ends.
	Removed func(id string)
	// LogProblem logs a request whose answer had to be cut off.
	LogProblem func(r *http.Request, p *messages.Problem)
	// SeesAll reports whether a principal may have what is of other accounts.
	SeesAll func(p web.Principal) bool
}

// Service answers requests for records. Its methods may be called from any goroutine.
type Service struct {
	Deps
	lists   *semaphore.Semaphore // pages being made, by key
	reads   *semaphore.Semaphore // records being read, by key
	results *results
	layouts *lru.Cache[layout]
}

// New returns a service.
func New(d Deps) *Service {
	return &Service{
		Deps: d, lists: semaphore.New(listsAtATime, listsEach, listsWaiting),
		reads: semaphore.New(readsAtATime, readsEach, readsWaiting), results: newResults(resultBytes, resultShare),
		layouts: lru.New[layout](layoutBytes),
	}
}

// Find returns the record of the id in the request's path, as its principal may see it. One of
// another kind does not exist.
func (s *Service) Find(r *http.Request, kind messages.JobKind) (store.Record, error) {
	id, err := uuid.Parse(r.PathValue("id"))
	if err != nil {
		return store.Record{}, store.ErrNotFound
	}
	record, err := s.Store.Get(r.Context(), web.Account(r), id.String())
	if err == nil && kind != AnyKind && record.Kind != kind {
		return store.Record{}, store.ErrNotFound
	}
	if err != nil {
		return record, err
	}
	p := web.PrincipalOf(r)
	return shownTo(&p, record)
}

// Get answers with a job of a kind.
func (s *Service) Get(kind messages.JobKind) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		at := newSlot(r, s.reads)
		if err := s.busy(at.acquire()); err != nil {
			return err
		}
		defer at.release()
		job, err := s.read(r, at, func() (store.Record, error) { return s.Find(r, kind) })
		if err != nil {
			return err
		}
		defer job.result.letGo()
		return s.stream(w, r, at, func(out io.Writer) error {
			if err := s.writeJob(r.Context(), out, job); err != nil {
				return err
			}
			_, err := io.WriteString(out, "\n")
			return err
		})
	}
}

// Delete deletes a job of a kind. A job that is not finished is refused, 403, unless the query
// cancels it. Callbacks that are still to be delivered are deleted with the job.
func (s *Service) Delete(kind messages.JobKind) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		q, fault := messages.ParseDeleteQuery(r.URL.Query())
		if fault != nil {
			return fault
		}
		record, err := s.Find(r, kind)
		if err != nil {
			return err
		}
		err = s.remove(r, record, q.Cancel)
		if errors.Is(err, store.ErrNotFinished) {
			return &messages.Problem{
				Status: http.StatusForbidden, Message: "job is not finished; ?cancel=true cancels and deletes it",
				Err: err,
			}
		}
		if err != nil {
			return err
		}
		w.WriteHeader(http.StatusAccepted)
		return nil
	}
}

func (s *Service) isGone(r *http.Request, record store.Record) bool {
	_, err := s.Store.Get(r.Context(), record.Account, record.ID)
	return errors.Is(err, store.ErrNotFound)
}

// Patch merges the object in the body into the post-session metadata of a job of a kind.
func (s *Service) Patch(kind messages.JobKind) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		record, err := s.Find(r, kind)
		if err != nil {
			return err
		}
		body, err := web.ReadBody(w, r, messages.MaxPatchBody)
		if err != nil {
			return err
		}
		patch, fault := messages.ParsePatch(body)
		if fault != nil {
			return fault
		}
		err = s.Store.ChangeMetadata(r.Context(), record.Account, record.ID, metadata.Patch(patch))
		if errors.Is(err, store.ErrInvalid) {
			return &messages.Problem{Status: http.StatusBadRequest, Message: "metadata cannot be merged", Err: err}
		}
		if err != nil {
			return err
		}
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
}

// File answers with the audio of a job of a kind: the recording of a live session as WAV, or the
// file of a pre-recorded job as it came.
func (s *Service) File(kind messages.JobKind) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		record, err := s.Find(r, kind)
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
			err = s.Uploads.Serve(w, r, record.Upload)
		}
		if record.Stripped.Has(store.PartAudio) {
			return store.ErrErased
		}
		if record.Upload == "" || errors.Is(err, store.ErrNotFound) {
			return noFile()
		}
		return err
	}
}

func noFile() error { return web.Problem(http.StatusNotFound, "there is no file of this job") }

// neverConnected reports whether no client ever connected to a live session: it still waits for
// one, or has expired.
func neverConnected(r store.Record) bool {
	expired := r.ErrorCode != nil && *r.ErrorCode == http.StatusRequestTimeout
	return r.Kind == messages.JobLive && (r.Status == messages.StatusQueued || expired)
}

// readable returns a record as the client of a request can read it: see [web.IsPython].
func readable(r *http.Request, record store.Record) store.Record {
	if web.IsPython(r) {
		record.Result = messages.ResultWithoutChapters(record.Result)
	}
	return record
}

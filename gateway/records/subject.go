package records

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"steno/gateway/web"
	"steno/messages"
	"steno/session/store"
)

// erasureTime is how long one request erases for.
const erasureTime = 20 * time.Second

// ErasedJob is a job in an erasure.
type ErasedJob struct {
	ID     string           `json:"id" format:"uuid" doc:"Of the job"`
	Kind   messages.JobKind `json:"kind" enum:"pre-recorded,live" doc:"Of the job"`
	Status messages.Status  `json:"status" enum:"queued,processing,done,error" doc:"What it was"`
}

// Erasure answers DELETE /v2/subjects.
type Erasure struct {
	Erased    messages.List[ErasedJob] `json:"erased" doc:"Jobs of which nothing is kept any more"`
	Cancelled int                      `json:"cancelled" doc:"How many of them were not finished and have been ended"`
	Files     int                      `json:"files" doc:"Uploaded files that went with them"`
	Shared    messages.List[string]    `json:"shared_files" doc:"Ids of files that stay, since other jobs use them"`
	Refused   messages.List[ErasedJob] `json:"refused" doc:"Jobs that are not finished, and stay"`
	More      bool                     `json:"more" doc:"Whether there may be more from next_offset on"`
	Next      int                      `json:"next_offset" doc:"Of the next request: what was refused is skipped"`
}

// EraseSubject deletes the jobs whose custom metadata hold what the query asks for, a bounded
// number, and reports which. What it leaves the next request finds.
func (s *Service) EraseSubject(w http.ResponseWriter, r *http.Request) error {
	q, r, err := s.subject(r, messages.MaxErased)
	if err != nil {
		return err
	}
	at := newSlot(r, s.lists)
	if err := s.busy(at.acquire()); err != nil {
		return err
	}
	defer at.release()
	listed, more, err := s.Store.List(r.Context(), web.Account(r), q.ListQuery)
	if err != nil {
		return err
	}
	e := &Erasure{Erased: messages.List[ErasedJob]{}, Refused: messages.List[ErasedJob]{},
		Shared: messages.List[string]{}, More: more}
	until := time.Now().Add(erasureTime)
	for _, l := range listed {
		if time.Now().After(until) {
			e.More = true
			break
		}
		if err := s.eraseOne(r, l.ID, q.Cancel, e); err != nil {
			return fmt.Errorf("erase %s: %w", l.ID, err)
		}
	}
	e.Next = q.Offset + len(e.Refused)
	web.WriteJSON(w, http.StatusOK, e)
	return nil
}

// subject reads the query of a request for the records of a subject, and returns the request as one
// of the account that they are of. Errors: problems, 400 and 403.
func (s *Service) subject(r *http.Request, most int) (messages.SubjectQuery, *http.Request, error) {
	q, fault := messages.ParseSubjectQuery(r.URL.Query(), most)
	if fault != nil {
		return q, r, fault
	}
	p := web.PrincipalOf(r)
	q.Account = cmp.Or(q.Account, p.Account)
	if q.Account == p.Account {
		return q, r, nil
	}
	if !s.SeesAll(p) {
		return q, r, web.Problem(http.StatusForbidden, "the records of another account are for operators")
	}
	p.Account = q.Account
	return q, web.WithPrincipal(r, p), nil
}

// eraseOne deletes a record, and adds to the report. One that is gone meanwhile is none.
func (s *Service) eraseOne(r *http.Request, id string, cancel bool, e *Erasure) error {
	record, err := s.Store.Get(r.Context(), web.Account(r), id)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	job := ErasedJob{ID: id, Kind: record.Kind, Status: record.Status}
	err = s.remove(r, record, cancel)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil
	case errors.Is(err, store.ErrNotFinished):
		e.Refused = append(e.Refused, job)
		web.TrailOf(r).Each(id, http.StatusForbidden)
		return nil
	case err != nil:
		return err
	}
	web.TrailOf(r).Each(id, http.StatusOK)
	e.Erased = append(e.Erased, job)
	if !record.Finished() {
		e.Cancelled++
	}
	return s.countFile(r.Context(), record, e)
}

// remove deletes a record, also one that is not finished where it may be cancelled, and has work on
// it ended. Errors: those of the store.
func (s *Service) remove(r *http.Request, record store.Record, cancel bool) error {
	remove := s.Store.Delete
	if cancel {
		remove = s.Store.Cancel
	}
	err := remove(r.Context(), record.Account, record.ID)
	if err == nil || s.isGone(r, record) { // the record may be deleted though its files are not
		s.Removed(record.ID)
	}
	return err
}

// countFile reports whether the upload of a deleted record went with it.
func (s *Service) countFile(ctx context.Context, record store.Record, e *Erasure) error {
	if record.Upload == "" {
		return nil
	}
	_, err := s.Store.Upload(ctx, record.Account, record.Upload)
	if errors.Is(err, store.ErrNotFound) {
		e.Files++
		return nil
	}
	if err == nil {
		e.Shared = append(e.Shared, record.Upload)
	}
	return err
}

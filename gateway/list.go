package gateway

import (
	"errors"
	"net/http"

	"steno/messages"
	"steno/session/store"
)

// listPath is where the links of every page lead.
const listPath = "/v2/transcription"

func (s *Server) listLive(w http.ResponseWriter, r *http.Request) error {
	return s.list(w, r, []messages.JobKind{messages.JobLive})
}

func (s *Server) listRecorded(w http.ResponseWriter, r *http.Request) error {
	return s.list(w, r, []messages.JobKind{messages.JobPreRecorded})
}

func (s *Server) listAll(w http.ResponseWriter, r *http.Request) error { return s.list(w, r, nil) }

// list answers with one page. Jobs in it come without their messages, which may be many: they are in the job itself.
func (s *Server) list(w http.ResponseWriter, r *http.Request, kinds []messages.JobKind) error {
	q, fault := messages.ParseListQuery(r.URL.Query())
	if fault != nil {
		return fault
	}
	if kinds != nil {
		q.Kinds = kinds
	}
	records, more, err := s.deps.Store.List(r.Context(), account(r), q)
	if err != nil {
		return err
	}
	page := messages.Page{Items: make([]messages.Job, 0, len(records))}
	for _, record := range records {
		job, err := s.jobOf(r.Context(), record)
		if errors.Is(err, store.ErrNotFound) {
			continue // deleted meanwhile
		}
		if err != nil {
			return err
		}
		page.Items = append(page.Items, job)
	}
	base := s.publicURL(r) + listPath + "?"
	page.First = base + at(q, 0)
	page.Current = base + at(q, q.Offset)
	if more {
		next := base + at(q, q.Offset+q.Limit)
		page.Next = &next
	}
	writeJSON(w, http.StatusOK, page)
	return nil
}

// at is the query of the same list from an offset on.
func at(q messages.ListQuery, offset int) string {
	q.Offset = offset
	return q.Values().Encode()
}

package records

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"

	"steno/gateway/web"
	"steno/messages"
	"steno/session/semaphore"
	"steno/session/store"
)

const (
	// listPath is the path of the links of every page.
	listPath = "/v2/transcription"

	listsAtATime = 8 // pages being made, in all
	listsEach    = 2 // of one account
	listsWaiting = 256

	readsAtATime  = 32 // records being read for a client each, in all
	readsEach     = 16 // of one key
	readsWaiting  = 10_000
	listsPatience = 30 * time.Second
)

// List answers with a page of the jobs of some kinds; nil: of those that the query selects.
func (s *Service) List(kinds []messages.JobKind) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error { return s.list(w, r, kinds) }
}

// list answers with one page. Jobs may be large: they are read and written one by one, the page
// ends where it has enough bytes, and the number of pages made at a time is limited.
func (s *Service) list(w http.ResponseWriter, r *http.Request, kinds []messages.JobKind) error {
	q, fault := messages.ParseListQuery(r.URL.Query())
	if fault != nil {
		return fault
	}
	if kinds != nil {
		q.Kinds = kinds
	}
	at := newSlot(r, s.lists)
	if err := s.busy(at.acquire()); err != nil {
		return err
	}
	defer at.release()
	listed, more, err := s.Store.List(r.Context(), web.Account(r), q)
	if err != nil {
		return err
	}
	fitting := s.fitting(listed)
	more = more || len(fitting) < len(listed)
	return s.stream(w, r, at, func(out io.Writer) error {
		return s.writePage(r, out, q, at, fitting, more)
	})
}

// busy returns an error of a slot in the form for clients.
func (s *Service) busy(err error) error {
	if errors.Is(err, semaphore.ErrFull) || errors.Is(err, context.DeadlineExceeded) {
		return web.Refuse(http.StatusServiceUnavailable, "too many records are being read", s.Limits.RetryAfter)
	}
	return err
}

// fitting returns as many of the first jobs as a page holds, but at least one.
func (s *Service) fitting(listed []store.Listed) []store.Listed {
	left := s.Limits.PageBytes
	for i, l := range listed {
		if left -= l.Bytes; left < 0 && i > 0 {
			return listed[:i]
		}
	}
	return listed
}

// writePage writes a page of jobs, with a place among those being made. Its next link begins after
// the last of them.
func (s *Service) writePage(r *http.Request, out io.Writer, q messages.ListQuery, place *slot, listed []store.Listed,
	more bool) error {
	base := s.Addresses.Base(r) + listPath + "?"
	page := messages.Page{First: base + at(q, 0), Current: base + at(q, q.Offset)}
	if more {
		next := base + at(q, q.Offset+len(listed))
		page.Next = &next
	}
	head, err := marshal(page)
	if err != nil {
		return err
	}
	head, ok := bytes.CutSuffix(head, []byte("]}")) // of the empty list of items
	if !ok {
		return errors.New("page does not end with its items")
	}
	before := ""
	for _, l := range listed {
		job, err := s.read(r, place, func() (store.Record, error) {
			return s.Store.Get(r.Context(), web.Account(r),
				l.ID)
		})
		if errors.Is(err, store.ErrNotFound) {
			continue // deleted meanwhile
		}
		if err != nil {
			return err
		}
		_, err = out.Write(append(head, before...))
		if err == nil {
			err = s.writeJob(r.Context(), out, job)
		}
		job.result.letGo()
		if err != nil {
			return err
		}
		head, before = nil, ","
	}
	_, err = out.Write(append(head, "]}\n"...))
	return err
}

// marshal returns the JSON of a value, without the escapes that HTML needs.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// at returns the query of the same list from an offset on.
func at(q messages.ListQuery, offset int) string {
	q.Offset = offset
	return q.Values().Encode()
}

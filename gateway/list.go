package gateway

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
	"steno/session/slots"
	"steno/session/store"
)

const (
	// listPath is where the links of every page lead.
	listPath = "/v2/transcription"

	listsAtATime  = 8 // pages being made, in all
	listsEach     = 2 // of one account
	listsWaiting  = 256
	listsPatience = 30 * time.Second
)

func (s *Server) listLive(w http.ResponseWriter, r *http.Request) error {
	return s.list(w, r, []messages.JobKind{messages.JobLive})
}

func (s *Server) listRecorded(w http.ResponseWriter, r *http.Request) error {
	return s.list(w, r, []messages.JobKind{messages.JobPreRecorded})
}

func (s *Server) listAll(w http.ResponseWriter, r *http.Request) error { return s.list(w, r, nil) }

// list answers with one page. Jobs may be large: one at a time is read and written, a page ends where there are enough bytes
// of them, and only some pages are made at a time.
func (s *Server) list(w http.ResponseWriter, r *http.Request, kinds []messages.JobKind) error {
	q, fault := messages.ParseListQuery(r.URL.Query())
	if fault != nil {
		return fault
	}
	if kinds != nil {
		q.Kinds = kinds
	}
	if err := s.awaitList(r.Context(), web.Account(r)); err != nil {
		return err
	}
	defer s.lists.Give(web.Account(r))
	listed, more, err := s.deps.Store.List(r.Context(), web.Account(r), q)
	if err != nil {
		return err
	}
	fitting := s.fitting(listed)
	more = more || len(fitting) < len(listed)
	return s.stream(w, r, func(out io.Writer) error {
		return s.writePage(r, out, q, fitting, more)
	})
}

// awaitList waits until a page may be made for the account.
func (s *Server) awaitList(ctx context.Context, account string) error {
	ctx, cancel := context.WithTimeout(ctx, listsPatience)
	defer cancel()
	err := s.lists.Take(ctx, account)
	if errors.Is(err, slots.ErrFull) || errors.Is(err, context.DeadlineExceeded) {
		return web.Refuse(http.StatusServiceUnavailable, "too many lists are asked for", s.cfg.Limits.RetryAfter)
	}
	return err
}

// fitting are the first of the jobs, as many as a page holds, but at least one.
func (s *Server) fitting(listed []store.Listed) []store.Listed {
	left := s.cfg.Limits.PageBytes
	for i, l := range listed {
		if left -= l.Bytes; left < 0 && i > 0 {
			return listed[:i]
		}
	}
	return listed
}

// writePage writes a page of these jobs. Its next link begins behind the last of them.
func (s *Server) writePage(r *http.Request, out io.Writer, q messages.ListQuery, listed []store.Listed, more bool) error {
	base := s.addresses.Base(r) + listPath + "?"
	page := messages.Page{First: base + at(q, 0), Current: base + at(q, q.Offset)}
	if more {
		next := base + at(q, q.Offset+len(listed))
		page.Next = &next
	}
	head, err := encoded(page)
	if err != nil {
		return err
	}
	head, ok := bytes.CutSuffix(head, []byte("]}")) // of the items, of which there are none yet
	if !ok {
		return errors.New("page does not end with its items")
	}
	before := ""
	for _, l := range listed {
		job, err := s.listedJob(r, l.ID)
		if errors.Is(err, store.ErrNotFound) {
			continue // deleted meanwhile
		}
		if err != nil {
			return err
		}
		if _, err := out.Write(append(head, before...)); err != nil {
			return err
		}
		if err := s.writeJob(r.Context(), out, job); err != nil {
			return err
		}
		head, before = nil, ","
	}
	_, err = out.Write(append(head, "]}\n"...))
	return err
}

func (s *Server) listedJob(r *http.Request, id string) (shown, error) {
	record, err := s.deps.Store.Get(r.Context(), web.Account(r), id)
	if err != nil {
		return shown{}, err
	}
	return s.show(r.Context(), readable(r, record))
}

// encoded is a value's JSON, without the escapes that HTML needs.
func encoded(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// at is the query of the same list from an offset on.
func at(q messages.ListQuery, offset int) string {
	q.Offset = offset
	return q.Values().Encode()
}

package audit

import (
	"cmp"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"

	"steno/gateway/web"
	"steno/messages"
	"steno/session/store"
)

// Page answers GET /v2/admin/audit.
type Page struct {
	Items messages.List[Line] `json:"items" doc:"Newest first"`
	Next  string              `json:"next_cursor,omitempty" doc:"The cursor of the next page; not there at the end"`
}

// Query is what GET /v2/admin/audit is asked with.
type Query struct {
	Account string `json:"account" doc:"Only lines of this account"`
	Action  string `json:"action" doc:"Only lines of this action, such as record.delete"`
	Since   string `json:"since" format:"date-time" doc:"Only lines from this time on"`
	Cursor  string `json:"cursor" doc:"next_cursor of the page before"`
	Limit   int    `json:"limit" default:"100" minimum:"1" maximum:"1000" doc:"Lines on a page at most"`
	Format  string `json:"format" enum:"json,jsonl" doc:"jsonl: a line each, as with Accept: application/jsonl"`
}

// cursorHeader has the cursor of the next page beside lines of JSON.
const cursorHeader = "X-Next-Cursor"

// linesType is the media type of lines of JSON.
const linesType = "application/jsonl"

// Service serves the audit log of a store. Its methods may be called from any goroutine.
type Service struct {
	Store store.Audit
	Kept  bool // whether it is kept there
}

// Get answers GET /v2/admin/audit.
func (s *Service) Get(w http.ResponseWriter, r *http.Request) error {
	q, asLines, err := parse(r)
	if err != nil {
		return err
	}
	if !s.Kept {
		return web.Problem(http.StatusNotFound, "the audit log is not kept in the store: audit.keep has it kept")
	}
	list, next, err := s.Store.AuditEntries(r.Context(), q)
	if err != nil {
		return err
	}
	page := Page{Items: messages.List[Line]{}}
	for _, e := range list {
		line := Line{Time: e.At, Account: e.Account, Action: e.Action}
		_ = json.Unmarshal(e.Body, &line) // one that was changed has no more than that
		page.Items = append(page.Items, line)
	}
	if next > 0 {
		page.Next = strconv.FormatInt(next, 10)
	}
	if !asLines {
		web.WriteJSON(w, http.StatusOK, page)
		return nil
	}
	return writeLines(w, page)
}

func writeLines(w http.ResponseWriter, page Page) error {
	w.Header().Set("Content-Type", linesType)
	if page.Next != "" {
		w.Header().Set(cursorHeader, page.Next)
	}
	enc := json.NewEncoder(w)
	for i := range page.Items {
		if enc.Encode(&page.Items[i]) != nil {
			return nil // the client has left
		}
	}
	return nil
}

// parse reads a question. Errors: problems, 400.
func parse(r *http.Request) (q store.AuditQuery, asLines bool, err error) {
	v := r.URL.Query()
	q = store.AuditQuery{Account: v.Get("account"), Action: v.Get("action")}
	if text := v.Get("since"); text != "" {
		if q.Since, err = time.Parse(time.RFC3339, text); err != nil {
			return q, false, web.Problem(http.StatusBadRequest, "since must be a time such as 2026-03-01T09:30:00Z")
		}
	}
	q.Limit, err = strconv.Atoi(cmp.Or(v.Get("limit"), "100"))
	if err != nil || q.Limit < 1 || q.Limit > store.MaxAudit {
		return q, false, web.Problem(http.StatusBadRequest, "limit must be from 1 to 1000")
	}
	q.Before, err = strconv.ParseInt(cmp.Or(v.Get("cursor"), "0"), 10, 64)
	if err != nil || q.Before < 0 || q.Before > 1<<53 {
		return q, false, web.Problem(http.StatusBadRequest, "cursor must be next_cursor of another page")
	}
	switch format := v.Get("format"); format {
	case "", "json", "jsonl":
		accept := r.Header.Get("Accept")
		asLines = format == "jsonl" || format == "" && strings.HasPrefix(accept, linesType)
		return q, asLines, nil
	}
	return q, false, web.Problem(http.StatusBadRequest, "format must be json or jsonl")
}

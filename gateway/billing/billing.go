// Package billing serves what accounts have used: what a bill is made of, by account, day, model
// and add-on, as JSON or as a table. It has no goroutines and no locks.
package billing

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"steno/gateway/web"
	"steno/messages"
	"steno/session/store"
)

// UsageRow is what was used of a group.
type UsageRow struct {
	Day          string  `json:"day,omitempty" format:"date" doc:"On which sessions and jobs ended, by UTC"`
	Account      string  `json:"account,omitempty" doc:"Whose they are"`
	Model        string  `json:"model,omitempty" doc:"Of the API"`
	Addon        string  `json:"addon,omitempty" doc:"Not there for what needs no add-on"`
	LiveSessions int64   `json:"live_sessions" doc:"Live sessions that were connected"`
	LiveAudio    float64 `json:"live_audio_seconds" doc:"Their audio, each channel counted"`
	Jobs         int64   `json:"recorded_jobs" doc:"Recorded files that are done"`
	FailedJobs   int64   `json:"failed_jobs" doc:"Recorded files that have failed"`
	Recorded     float64 `json:"recorded_audio_seconds" doc:"Their audio, each channel counted"`
	AddonAudio   float64 `json:"addon_audio_seconds" doc:"Audio that has results of an add-on"`
	Characters   int64   `json:"characters" doc:"That add-ons have written"`
}

// Report answers GET /v2/usage.
type Report struct {
	From  string                  `json:"from" format:"date" doc:"The first day"`
	To    string                  `json:"to" format:"date" doc:"The last"`
	Items messages.List[UsageRow] `json:"items" doc:"Ascending by what they are for"`
}

// Query is what GET /v2/usage is asked with.
type Query struct {
	From    string `json:"from" format:"date" doc:"The first day, UTC, as 2026-03-01; left out: that of this month"`
	To      string `json:"to" format:"date" doc:"The last; left out: today"`
	GroupBy string `json:"group_by" default:"day" doc:"What rows are for: of day, account, model, addon"`
	Account string `json:"account" doc:"Only its usage; without it all that is seen"`
	Format  string `json:"format" enum:"json,csv" doc:"csv: a table, as with Accept: text/csv"`
}

// Service serves usage. Its methods may be called from any goroutine.
type Service struct {
	Store interface {
		Usage(ctx context.Context, q store.UsageQuery) ([]store.Usage, error)
	}
	// SeesAll reports whether a principal sees what all accounts have used.
	SeesAll func(p web.Principal) bool
}

// question is what a request asks for.
type question struct {
	store.UsageQuery
	by  grouping
	csv bool
}

// grouping is what rows are for.
type grouping struct{ day, account, model, addon bool }

// Get answers GET /v2/usage.
func (s *Service) Get(w http.ResponseWriter, r *http.Request) error {
	q, err := s.parse(r)
	if err != nil {
		return err
	}
	used, err := s.Store.Usage(r.Context(), q.UsageQuery)
	if err != nil {
		return err
	}
	rows := q.by.group(used)
	if q.csv {
		return writeTable(w, q.by, rows)
	}
	web.WriteJSON(w, http.StatusOK, Report{
		From: q.From.Format(time.DateOnly), To: q.To.Format(time.DateOnly), Items: rows,
	})
	return nil
}

// parse reads what a request asks for. Errors: problems, 400 and 403.
func (s *Service) parse(r *http.Request) (q question, err error) {
	v, now := r.URL.Query(), time.Now().UTC()
	if q.From, err = day(v.Get("from"), now.AddDate(0, 0, 1-now.Day())); err != nil {
		return q, web.Problem(http.StatusBadRequest, "from must be a day such as 2026-03-01")
	}
	if q.To, err = day(v.Get("to"), now); err != nil {
		return q, web.Problem(http.StatusBadRequest, "to must be a day such as 2026-03-31")
	}
	if q.From.After(q.To) {
		return q, web.Problem(http.StatusBadRequest, "from must not be after to")
	}
	if q.by, err = parseGrouping(cmp.Or(v.Get("group_by"), "day")); err != nil {
		return q, err
	}
	switch format := v.Get("format"); format {
	case "", "json", "csv":
		q.csv = format == "csv" || format == "" && strings.HasPrefix(r.Header.Get("Accept"), "text/csv")
	default:
		return q, web.Problem(http.StatusBadRequest, "format must be json or csv")
	}
	p := web.PrincipalOf(r)
	if q.Account = v.Get("account"); !s.SeesAll(p) {
		if q.Account != "" && q.Account != p.Account {
			return q, web.Problem(http.StatusForbidden, "the usage of another account is for operators")
		}
		q.Account = p.Account
	}
	return q, nil
}

// day reads a day; empty is the other one.
func day(text string, other time.Time) (time.Time, error) {
	if text == "" {
		return store.DayOf(store.Day(other)), nil
	}
	return time.Parse(time.DateOnly, text)
}

func parseGrouping(text string) (g grouping, err error) {
	known := map[string]*bool{"day": &g.day, "account": &g.account, "model": &g.model, "addon": &g.addon}
	for name := range strings.SplitSeq(text, ",") {
		by := known[strings.TrimSpace(name)]
		if by == nil {
			return g, web.Problem(http.StatusBadRequest,
				"group_by must be of day, account, model and addon, with commas between")
		}
		*by = true
	}
	return g, nil
}

// group adds up what was used.
func (g grouping) group(used []store.Usage) []UsageRow {
	rows := []UsageRow{}
	at := map[UsageRow]int{} // by what the row is for
	for _, u := range used {
		item, addon, _ := strings.Cut(u.Item, ":")
		name := g.nameOf(u, addon)
		i, ok := at[name]
		if !ok {
			i, at[name] = len(rows), len(rows)
			rows = append(rows, name)
		}
		rows[i].add(item, addon != "", u.Amount)
	}
	slices.SortStableFunc(rows, func(a, b UsageRow) int {
		return cmp.Or(cmp.Compare(a.Day, b.Day), cmp.Compare(a.Account, b.Account), cmp.Compare(a.Model, b.Model),
			cmp.Compare(a.Addon, b.Addon))
	})
	return rows
}

// nameOf returns the row, without figures, that something used belongs to.
func (g grouping) nameOf(u store.Usage, addon string) (r UsageRow) {
	if g.day {
		r.Day = u.Day.Format(time.DateOnly)
	}
	if g.account {
		r.Account = u.Account
	}
	if g.model {
		r.Model = u.Model
	}
	if g.addon {
		r.Addon = addon
	}
	return r
}

// add adds an amount of an item.
func (r *UsageRow) add(item string, addon bool, amount int64) {
	seconds := float64(amount) / 1000
	switch {
	case addon && item+":" == store.UsedAddon:
		r.AddonAudio += seconds
	case addon && item+":" == store.UsedCharacter:
		r.Characters += amount
	case item == store.UsedSessions:
		r.LiveSessions += amount
	case item == store.UsedLive:
		r.LiveAudio += seconds
	case item == store.UsedJobs:
		r.Jobs += amount
	case item == store.UsedFailed:
		r.FailedJobs += amount
	case item == store.UsedRecorded:
		r.Recorded += seconds
	}
}

// seconds formats a figure of a table.
func seconds(s float64) string { return fmt.Sprintf("%.3f", s) }

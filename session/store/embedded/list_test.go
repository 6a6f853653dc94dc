package embedded

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"steno/messages"
	"steno/session/store/metadata"
)

// TestListPlans reads SQLite's plans: every list walks an index in the order it is wanted in, and
// sorts at most the rows of its one page.
func TestListPlans(t *testing.T) {
	s := openIn(t, t.TempDir())
	day := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name string
		q    messages.ListQuery
		want string // how the page's records are found
	}{
		{"all", messages.ListQuery{}, "COVERING INDEX records_by_age (account=?)"},
		{"status and kind", messages.ListQuery{Statuses: []messages.Status{"done", "error"},
			Kinds: []messages.JobKind{"live"}},
			"COVERING INDEX records_by_age (account=?)"},
		{"dates", messages.ListQuery{Date: day, Before: day, After: day},
			"COVERING INDEX records_by_age (account=? AND created_at>? AND created_at<?)"},
		{"metadata", messages.ListQuery{CustomMetadata: messages.Object{"user": "ann", "n": 5}},
			"m USING PRIMARY KEY (account=? AND path=? AND value=?)"},
		{"metadata and dates", messages.ListQuery{CustomMetadata: messages.Object{"user": "ann"}, After: day,
			Statuses: []messages.Status{"done"}},
			"m USING PRIMARY KEY (account=? AND path=? AND value=? AND created_at>?)"},
	} {
		c.q.Limit = 20
		plan := planOf(t, s, c.q)
		if !strings.Contains(plan, c.want) {
			t.Errorf("%s: plan is\n%s\nwant %s", c.name, plan, c.want)
		}
		if strings.Contains(plan, "SCAN records") || strings.Contains(plan, "SCAN r\n") ||
			strings.Contains(plan, "SCAN m\n") {
			t.Errorf("%s: a whole table is read:\n%s", c.name, plan)
		}
		if inner, _, _ := strings.Cut(plan, "SCAN (subquery"); strings.Contains(inner, "TEMP B-TREE") {
			t.Errorf("%s: all that is found is sorted:\n%s", c.name, plan)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func planOf(t *testing.T, s *Store, q messages.ListQuery) string {
	t.Helper()
	wanted, err := metadata.Wanted(q.CustomMetadata)
	if err != nil {
		t.Fatal(err)
	}
	query, args := listQuery("acme", q, wanted)
	rows, err := s.read.QueryContext(t.Context(), `EXPLAIN QUERY PLAN `+query, args...)
	steps, err := collect(rows, err, "explain", func(scan scanner) (step string, err error) {
		var id, parent, unused int
		err = scan(&id, &parent, &unused, &step)
		return step, err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(steps, "\n")
}

const manyRecords = 100_000

// fillRecords makes many records: one in a thousand failed, half of them of either kind, users of
// ten records each.
func fillRecords(t testing.TB, s *Store, n int) {
	t.Helper()
	err := s.inTx(t.Context(), func(tx *sql.Tx) error {
		for i := range n {
			r := newRecord(fmt.Sprintf("job-%d", i))
			r.CreatedAt = r.CreatedAt.Add(time.Duration(i) * time.Second)
			r.Kind = []messages.JobKind{messages.JobLive, messages.JobPreRecorded}[i%2]
			r.Status = messages.StatusDone
			if i%1000 == 0 {
				r.Status = messages.StatusError
			}
			r.CustomMetadata = json.RawMessage(fmt.Sprintf(`{"user":"u%d","app":"web"}`, i/10))
			r.Params = json.RawMessage(`{"pad":"` + strings.Repeat("p", 1500) + `"}`)
			r.Result = json.RawMessage(`{"pad":"` + strings.Repeat("r", 1500) + `"}`)
			if err := createIn(t.Context(), tx, &r); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func BenchmarkList(b *testing.B) {
	s := openIn(b, b.TempDir())
	fillRecords(b, s, manyRecords)
	app := messages.Object{"app": "web"}
	for _, c := range []struct {
		name string
		q    messages.ListQuery
	}{
		{"newest", messages.ListQuery{}},
		{"deep", messages.ListQuery{Offset: manyRecords - 20}},
		{"rare status", messages.ListQuery{Statuses: []messages.Status{"error"}}},
		{"rare status, last page", messages.ListQuery{Statuses: []messages.Status{"error"}, Offset: 80}},
		{"status of none", messages.ListQuery{Statuses: []messages.Status{"queued"}}},
		{"rare metadata", messages.ListQuery{CustomMetadata: messages.Object{"user": "u77"}}},
		{"common metadata", messages.ListQuery{CustomMetadata: app}},
		{"common and rare metadata", messages.ListQuery{CustomMetadata: messages.Object{"app": "web", "user": "u77"}}},
		{"common metadata, status of none", messages.ListQuery{CustomMetadata: app,
			Statuses: []messages.Status{"queued"}}},
	} {
		c.q.Limit = 20
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if _, _, err := s.List(b.Context(), "acme", c.q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
}

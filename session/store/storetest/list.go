package storetest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"steno/messages"
	"steno/session/store"
)

func ids(records []store.Record) []string {
	var all []string
	for _, r := range records {
		all = append(all, r.ID)
	}
	return all
}

// list is the ids of a page, and "+" where more follow.
func list(t *testing.T, s store.Store, q messages.ListQuery) string {
	t.Helper()
	page, more, err := s.List(t.Context(), "acme", q)
	must(t, err)
	var all []string
	for _, l := range page {
		all = append(all, l.ID)
	}
	if more {
		all = append(all, "+")
	}
	return strings.Join(all, " ")
}

func listPages(t *testing.T, s store.Store) {
	for i := range 7 {
		r := newRecord(fmt.Sprintf("r%d", i))
		r.CreatedAt = epoch.Add(time.Duration(i*3%7) * time.Millisecond) // not in the order of their making
		create(t, s, r)
	}
	other := newRecord("other")
	other.Account = "zeta"
	create(t, s, other)
	same(t, "all", list(t, s, messages.ListQuery{Limit: 100}), "r2 r4 r6 r1 r3 r5 r0")
	same(t, "exactly all", list(t, s, messages.ListQuery{Limit: 7}), "r2 r4 r6 r1 r3 r5 r0")
	same(t, "first page", list(t, s, messages.ListQuery{Limit: 3}), "r2 r4 r6 +")
	same(t, "second page", list(t, s, messages.ListQuery{Offset: 3, Limit: 3}), "r1 r3 r5 +")
	same(t, "last page", list(t, s, messages.ListQuery{Offset: 6, Limit: 3}), "r0")
	same(t, "beyond", list(t, s, messages.ListQuery{Offset: 7, Limit: 3}), "")
	for _, q := range []messages.ListQuery{{Offset: -1}, {Limit: -1}, {Limit: messages.MaxLimit + 1}} {
		_, _, err := s.List(t.Context(), "acme", q)
		wants(t, err, store.ErrInvalid)
	}
	listTies(t, s)
}

// listTies checks that records of the same moment keep their places from page to page.
func listTies(t *testing.T, s store.Store) {
	for i := range 20 {
		r := newRecord(fmt.Sprintf("tie%d", i))
		r.CreatedAt = epoch.Add(time.Hour)
		create(t, s, r)
	}
	whole := list(t, s, messages.ListQuery{Limit: 20})
	var pages []string
	for at := range 20 {
		pages = append(pages, strings.TrimSuffix(list(t, s, messages.ListQuery{Offset: at, Limit: 1}), " +"))
	}
	same(t, "twenty pages", strings.Join(pages, " ")+" +", whole)
}

func listFilters(t *testing.T, s store.Store) {
	noon := func(day int) time.Time { return time.Date(2026, 3, day, 12, 0, 0, 0, time.UTC) }
	for i, id := range []string{"queued", "processing", "done", "failed"} {
		r := newRecord(id)
		r.CreatedAt = noon(i + 1)
		create(t, s, r)
	}
	file := newRecord("file")
	file.Kind, file.CreatedAt = messages.JobPreRecorded, noon(5)
	create(t, s, file)
	must(t, s.SetStatus(t.Context(), "acme", "processing", messages.StatusProcessing))
	finish(t, s, "done", 0)
	finish(t, s, "failed", 500)
	midnight := noon(2).Truncate(24 * time.Hour)
	edge := newRecord("edge") // the first moment of a day
	edge.CreatedAt = midnight
	create(t, s, edge)

	for _, c := range []struct {
		name string
		q    messages.ListQuery
		want string
	}{
		{"one status", messages.ListQuery{Statuses: []messages.Status{"done"}}, "done"},
		{"two statuses", messages.ListQuery{Statuses: []messages.Status{"queued", "error"}}, "file failed edge queued"},
		{"a status twice", messages.ListQuery{Statuses: []messages.Status{"done", "done"}}, "done"},
		{"no such status", messages.ListQuery{Statuses: []messages.Status{"lost"}}, ""},
		{"one kind", messages.ListQuery{Kinds: []messages.JobKind{"pre-recorded"}}, "file"},
		{"both kinds", messages.ListQuery{Kinds: []messages.JobKind{"pre-recorded", "live"}},
			"file failed done processing edge queued"},
		{"kind and status", messages.ListQuery{Kinds: []messages.JobKind{"live"},
			Statuses: []messages.Status{"queued"}}, "edge queued"},
		{"day", messages.ListQuery{Date: midnight}, "processing edge"},
		{"before", messages.ListQuery{Before: noon(2)}, "edge queued"},
		{"before excludes its moment", messages.ListQuery{Before: midnight}, "queued"},
		{"after", messages.ListQuery{After: noon(3)}, "file failed"},
		{"between", messages.ListQuery{After: midnight, Before: noon(4)}, "done processing"},
		{"page of a filter", messages.ListQuery{Statuses: []messages.Status{"queued"}, Offset: 1, Limit: 1}, "edge +"},
	} {
		if got := list(t, s, c.q); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func listMetadata(t *testing.T, s store.Store) {
	objects := map[string]string{
		"a-flat":   `{"user":"ann","n":5,"ok":true,"none":null}`,
		"b-float":  `{"user":"bob","n":5.0,"ratio":0.25}`,
		"c-nested": `{"user":"ann","call":{"id":"7","tags":["x","y"],"deep":{"er":1}}}`,
		"d-empty":  `{}`,
		"e-odd":    `{"":"blank","a.b":"dotted","call":"7","q\"":"<&>","arr":[1, 2]}`,
	}
	i := 0
	for _, id := range []string{"e-odd", "d-empty", "c-nested", "b-float", "a-flat"} {
		r := newRecord(id)
		r.CustomMetadata = json.RawMessage(objects[id])
		r.CreatedAt = epoch.Add(time.Duration(i) * time.Second)
		create(t, s, r)
		i++
	}
	other := newRecord("other")
	other.Account, other.CustomMetadata = "zeta", json.RawMessage(objects["a-flat"])
	create(t, s, other, newRecord("without"))

	for _, c := range []struct{ filter, want string }{
		{`{"user":"ann"}`, "a-flat c-nested"},
		{`{"user":"ann","n":"5"}`, "a-flat"},
		{`{"n":5}`, "a-flat b-float"},
		{`{"n":"5"}`, "a-flat b-float"},
		{`{"n":5.0}`, "a-flat b-float"},
		{`{"ok":"true"}`, "a-flat"},
		{`{"none":null}`, "a-flat"},
		{`{"ratio":"0.25"}`, "b-float"},
		{`{"call":{"id":7}}`, "c-nested"},
		{`{"call":{"deep":{"er":1}}}`, "c-nested"},
		{`{"call":{"deep":{}}}`, "c-nested"},
		{`{"call":{}}`, "c-nested"},
		{`{"call":{"id":"8"}}`, ""},
		{`{"call":{"tags":["x","y"]}}`, "c-nested"},
		{`{"call":{"tags":["x"]}}`, ""},
		{`{"call":"7"}`, "e-odd"},
		{`{"":"blank"}`, "e-odd"},
		{`{"a.b":"dotted"}`, "e-odd"},
		{`{"a":{"b":"dotted"}}`, ""},
		{`{"q\"":"<&>"}`, "e-odd"},
		{`{"arr":[1,2]}`, "e-odd"},
		{`{"user":"a%"}`, ""},
		{`{"user":"ANN"}`, ""},
		{`{}`, "a-flat b-float c-nested d-empty e-odd without"},
	} {
		var filter messages.Object
		must(t, json.Unmarshal([]byte(c.filter), &filter))
		q := messages.ListQuery{CustomMetadata: filter}
		got := strings.Fields(list(t, s, q))
		if want := strings.Fields(c.want); len(want) != len(got) || !sameSet(got, want) {
			t.Errorf("%s: %q, want %q", c.filter, got, want)
		}
	}
	many := messages.Object{}
	for i := range 1000 {
		many[fmt.Sprint(i)] = i
	}
	_, _, err := s.List(t.Context(), "acme", messages.ListQuery{CustomMetadata: many})
	wants(t, err, store.ErrTooLarge)
}

func sameSet(a, b []string) bool {
	in := map[string]bool{}
	for _, x := range a {
		in[x] = true
	}
	for _, x := range b {
		if !in[x] {
			return false
		}
	}
	return true
}

func listCombined(t *testing.T, s store.Store) {
	for i := range 12 {
		r := newRecord(fmt.Sprintf("r%02d", i))
		r.CreatedAt = epoch.Add(time.Duration(i) * time.Hour)
		r.CustomMetadata = json.RawMessage(fmt.Sprintf(`{"team":"%d","room":{"floor":%d}}`, i%2, i%3))
		create(t, s, r)
	}
	for _, id := range []string{"r00", "r02", "r06", "r08"} {
		finish(t, s, id, 0)
	}
	q := messages.ListQuery{
		Statuses: []messages.Status{"done"}, Kinds: []messages.JobKind{"live"}, Before: epoch.Add(8 * time.Hour),
		CustomMetadata: messages.Object{"team": "0", "room": map[string]any{"floor": 0}},
	}
	same(t, "all filters at once", list(t, s, q), "r06 r00")
	q.Limit = 1
	same(t, "first page", list(t, s, q), "r06 +")
	q.Offset = 1
	same(t, "second page", list(t, s, q), "r00")
	q = messages.ListQuery{CustomMetadata: messages.Object{"team": 1}, Offset: 1, Limit: 2}
	same(t, "newest first by metadata", list(t, s, q), "r09 r07 +")
}

// listSizes checks that the records of a page have their sizes: of what is kept of them to be
// shown, in bytes, not characters.
func listSizes(t *testing.T, s store.Store) {
	ctx := t.Context()
	size := func(id string, want int) {
		t.Helper()
		page, _, err := s.List(ctx, "acme", messages.ListQuery{})
		must(t, err)
		for _, l := range page {
			if l.ID == id {
				same(t, "size of "+id, l.Bytes, int64(want))
				return
			}
		}
		t.Fatalf("%s is not listed", id)
	}
	const metadata, result = `{"name":"Ünï"}`, `{"text":"größer"}`
	r := newRecord("live")
	r.CustomMetadata = json.RawMessage(metadata)
	create(t, s, r)
	plain := len(r.Params) + len(`{}`) + len(metadata)
	size("live", plain)
	l, err := s.Claim(ctx, "live", store.IfFree)
	must(t, err)
	appendEvent(t, l, "first", `{"n":"ä"}`)
	appendEvent(t, l, "second", `{}`)
	size("live", plain) // its messages are not shown yet
	must(t, l.Finish(ctx, store.Outcome{Result: []byte(result)}))
	must(t, l.Close())
	size("live", plain+len(result)+len(`{"n":"ä"}`)+len(`{}`))
}

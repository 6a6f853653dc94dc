package seal_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"steno/messages"
	"steno/session/store"
	"steno/session/store/embedded/embeddedtest"
	"steno/session/store/metadata"
)

// Metadata are in no byte of the data folder, and lists find them.
func TestMetadata(t *testing.T) {
	dir, m, ctx := embeddedtest.Folder(t), newSample(), t.Context()
	s := sealed(t, openEmbedded(t, dir), master(t, masterText))
	custom := `{"customer":{"name":"` + m.word + `","n":1.50}}`
	must(t, s.Create(ctx, store.Record{ID: "live", Account: "acme", Kind: messages.JobLive,
		Status: messages.StatusQueued, CreatedAt: time.Now(), CustomMetadata: json.RawMessage(custom)}))
	must(t, s.Ring().Rotate(ctx, "acme"))
	for name, want := range map[string]int{m.word: 1, "another": 0} {
		for _, filter := range []map[string]any{{"name": name}, {"name": name, "n": 1.5}} {
			q := messages.ListQuery{CustomMetadata: messages.Object{"customer": filter}}
			if list, _, err := s.List(ctx, "acme", q); err != nil || len(list) != want {
				t.Errorf("by %v there are %d records, %v", filter, len(list), err)
			}
		}
	}
	must(t, s.ChangeMetadata(ctx, "acme", "live", metadata.Patch(map[string]any{"note": m.word, "n": 1})))
	must(t, s.ChangeMetadata(ctx, "acme", "live", metadata.Patch(map[string]any{"n": strings.Repeat("<", 9000)})))
	post := `{"n":"` + strings.Repeat(`\u003c`, 9000) + `","note":"` + m.word + `"}`
	if r, err := s.Get(ctx, "acme", "live"); err != nil || string(r.CustomMetadata) != custom ||
		string(r.PostSessionMetadata) != post {
		t.Errorf("the metadata are %s, %.200s, %v", r.CustomMetadata, r.PostSessionMetadata, err)
	}
	must(t, s.Close())
	for _, text := range []string{m.word, "customer", `"note"`} {
		if n := traces(t, []byte(text), dir); n != 0 {
			t.Errorf("%d files hold %s", n, text)
		}
	}
	s = sealed(t, openEmbedded(t, dir), master(t, masterText))
	must(t, s.Ring().Forget(ctx, "acme"))
	r, err := s.Get(ctx, "acme", "live")
	if err != nil || r.CustomMetadata != nil || string(r.PostSessionMetadata) != "{}" {
		t.Errorf("with a forgotten key the metadata are %s, %s, %v", r.CustomMetadata, r.PostSessionMetadata, err)
	}
	must(t, s.Close())
}

// A list by metadata has what was kept before there was a key after what is sealed, in whatever
// pages it is asked for.
func TestMixedLists(t *testing.T) {
	inner, ctx := openEmbedded(t, embeddedtest.Folder(t)), t.Context()
	s := sealed(t, inner, master(t, masterText))
	var want []string
	for i := range 7 {
		var to store.Store = s
		if i < 3 {
			to = inner
		}
		id := fmt.Sprintf("job-%d", i)
		must(t, to.Create(ctx, store.Record{ID: id, Account: "acme", Kind: messages.JobLive,
			Status: messages.StatusQueued, CreatedAt: time.UnixMilli(int64(i)),
			CustomMetadata: json.RawMessage(`{"customer":42,"n":` + fmt.Sprint(i) + `}`)}))
		want = append([]string{id}, want...)
	}
	for limit := 1; limit < 9; limit++ {
		q := messages.ListQuery{Limit: limit, CustomMetadata: messages.Object{"customer": "42"}}
		var got []string
		for more := true; more; q.Offset += limit {
			var page []store.Listed
			var err error
			page, more, err = s.List(ctx, "acme", q)
			must(t, err)
			for _, l := range page {
				got = append(got, l.ID)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("in pages of %d there are %v", limit, got)
		}
	}
	q := messages.ListQuery{Offset: 6, CustomMetadata: messages.Object{"customer": "42"}}
	if page, more, err := s.List(ctx, "acme", q); err != nil || more || len(page) != 1 || page[0].ID != "job-0" {
		t.Errorf("the last page is %v, %t, %v", page, more, err)
	}
	must(t, s.Close())
}

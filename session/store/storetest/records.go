package storetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"steno/messages"
	"steno/session/store"
	"steno/session/store/metadata"
)

func recordRoundTrip(t *testing.T, s store.Store) {
	ctx := t.Context()
	completed, code, seconds := epoch.Add(time.Minute), 503, 12.25
	full := store.Record{
		ID: "45463597-20b7-4af7-b3b3-f5fb778203ab", Account: "acme", Kind: messages.JobPreRecorded,
		Status: messages.StatusError, Version: 2, CreatedAt: epoch, CompletedAt: &completed,
		CustomMetadata:      json.RawMessage(`{"user":"Ünï","n":1.50}`),
		PostSessionMetadata: json.RawMessage(`{"b":2}`), Params: json.RawMessage(`{"channels":2}`),
		Languages: json.RawMessage(`["en"]`), Warnings: json.RawMessage(`[{"field":"a"}]`),
		Socket: messages.FilterOf(messages.KindFinal), Callback: messages.FilterOf(messages.KindError,
			messages.KindPartial),
		TokenHash: []byte(strings.Repeat("t", 32)), Key: []byte(strings.Repeat("k", 32)), Stopped: true,
		ErrorCode: &code, ErrorMessage: "broken", Upload: "file-1",
		Result: json.RawMessage(`{"messages":[]}`), Seconds: &seconds, Channels: 2, CallbackAuth: []byte("X-Key: secret"), Grace: 1500 * time.Millisecond,
	}
	bare := newRecord("bare-1")
	upload(t, s, "file-1", "audio")
	create(t, s, full, bare)
	for _, want := range []store.Record{full, bare} {
		got, err := s.Get(ctx, "acme", want.ID)
		must(t, err)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("got\n%+v, want\n%+v", got, want)
		}
	}
	got, err := s.ByToken(ctx, full.TokenHash)
	must(t, err)
	same(t, "id by token", got.ID, full.ID)
	_, err = s.ByToken(ctx, []byte("unknown"))
	wants(t, err, store.ErrNotFound)
	_, err = s.ByToken(ctx, nil)
	wants(t, err, store.ErrNotFound)
}

func badRecords(t *testing.T, s store.Store) {
	token := []byte(strings.Repeat("t", 32))
	first := newRecord("first")
	first.TokenHash = token
	upload(t, s, "file", "audio")
	create(t, s, first)
	for _, c := range []struct {
		name   string
		change func(*store.Record)
		want   error
	}{
		{"same id", func(r *store.Record) { r.ID = "first" }, store.ErrExists},
		{"same id, other account", func(r *store.Record) { r.ID, r.Account = "first", "zeta" }, store.ErrExists},
		{"same token", func(r *store.Record) { r.TokenHash = token }, store.ErrExists},
		{"no id", func(r *store.Record) { r.ID = "" }, store.ErrInvalid},
		{"path for an id", func(r *store.Record) { r.ID = "../../etc" }, store.ErrInvalid},
		{"long id", func(r *store.Record) { r.ID = strings.Repeat("a", 65) }, store.ErrInvalid},
		{"no account", func(r *store.Record) { r.Account = "" }, store.ErrInvalid},
		{"no kind", func(r *store.Record) { r.Kind = "" }, store.ErrInvalid},
		{"no status", func(r *store.Record) { r.Status = "" }, store.ErrInvalid},
		{"no hash of a key", func(r *store.Record) { r.Key = []byte("short") }, store.ErrInvalid},
		{"no such upload", func(r *store.Record) { r.Upload = "none" }, store.ErrNotFound},
		{"another account's upload", func(r *store.Record) { r.Account, r.Upload = "zeta", "file" }, store.ErrNotFound},
		{"metadata an array", func(r *store.Record) { r.CustomMetadata = json.RawMessage(`[1]`) }, store.ErrInvalid},
		{"warnings no JSON", func(r *store.Record) { r.Warnings = json.RawMessage(`[`) }, store.ErrInvalid},
		{"metadata twice", func(r *store.Record) { r.CustomMetadata = json.RawMessage(`{}{}`) }, store.ErrInvalid},
		{"post-session metadata null", func(r *store.Record) { r.PostSessionMetadata = json.RawMessage(`null`) },
			store.ErrInvalid},
		{"metadata too large", func(r *store.Record) {
			r.CustomMetadata = json.RawMessage(`{"a":"` + strings.Repeat("a", store.MaxMetadata) + `"}`)
		}, store.ErrTooLarge},
	} {
		r := newRecord("second")
		c.change(&r)
		if err := s.Create(t.Context(), r); !errors.Is(err, c.want) {
			t.Errorf("%s: error is %v, want %v", c.name, err, c.want)
		}
	}
	page, _, err := s.List(t.Context(), "acme", messages.ListQuery{Limit: 10})
	must(t, err)
	same(t, "number of records", len(page), 1)
}

func accountsApart(t *testing.T, s store.Store) {
	ctx := t.Context()
	create(t, s, newRecord("mine"))
	finish(t, s, "mine", 0)
	for _, other := range []string{"zeta", ""} {
		_, err := s.Get(ctx, other, "mine")
		wants(t, err, store.ErrNotFound)
		_, err = s.Events(ctx, other, "mine", 0, 1)
		wants(t, err, store.ErrNotFound)
		_, err = s.OpenAudio(ctx, other, "mine")
		wants(t, err, store.ErrNotFound)
		wants(t, s.ChangeMetadata(ctx, other, "mine", metadata.Patch(nil)), store.ErrNotFound)
		wants(t, s.SetStatus(ctx, other, "mine", messages.StatusProcessing), store.ErrNotFound)
		wants(t, s.Delete(ctx, other, "mine"), store.ErrNotFound)
	}
	page, _, err := s.List(ctx, "zeta", messages.ListQuery{})
	must(t, err)
	same(t, "number of records", len(page), 0)
	_, err = s.Get(ctx, "acme", "mine")
	must(t, err)
}

func statusMoves(t *testing.T, s store.Store) {
	ctx := t.Context()
	create(t, s, newRecord("job"))
	must(t, s.SetStatus(ctx, "acme", "job", messages.StatusProcessing))
	r, err := s.Get(ctx, "acme", "job")
	must(t, err)
	same(t, "status", r.Status, messages.StatusProcessing)
	must(t, s.SetStatus(ctx, "acme", "job", messages.StatusQueued))
	wants(t, s.SetStatus(ctx, "acme", "job", messages.StatusDone), store.ErrInvalid)
	wants(t, s.SetStatus(ctx, "acme", "none", messages.StatusProcessing), store.ErrNotFound)
	finish(t, s, "job", 0)
	wants(t, s.SetStatus(ctx, "acme", "job", messages.StatusProcessing), store.ErrFinished)
}

func metadataPatches(t *testing.T, s store.Store) {
	ctx := t.Context()
	create(t, s, newRecord("job"))
	must(t, s.ChangeMetadata(ctx, "acme", "job", metadata.Patch(map[string]any{"a": 1, "o": map[string]any{"x": 1}})))
	must(t, s.ChangeMetadata(ctx, "acme", "job", metadata.Patch(map[string]any{"b": json.Number("2.50"),
		"o": map[string]any{"y": "<&>"}})))
	must(t, s.ChangeMetadata(ctx, "acme", "job", metadata.Patch(nil)))
	wants(t, s.ChangeMetadata(ctx, "acme", "none", metadata.Patch(nil)), store.ErrNotFound)
	wants(t, s.ChangeMetadata(ctx, "acme", "job", metadata.Patch(map[string]any{"f": func() {}})), store.ErrInvalid)
	half := strings.Repeat("h", store.MaxMetadata/2)
	must(t, s.ChangeMetadata(ctx, "acme", "job", metadata.Patch(map[string]any{"half": half})))
	tooLarge := metadata.Patch(map[string]any{"b": 3, "other": half})
	wants(t, s.ChangeMetadata(ctx, "acme", "job", tooLarge), store.ErrTooLarge)
	r, err := s.Get(ctx, "acme", "job")
	must(t, err)
	var got map[string]any
	must(t, json.Unmarshal(r.PostSessionMetadata, &got))
	want := map[string]any{"a": 1.0, "b": 2.5, "o": map[string]any{"y": "<&>"}, "half": half}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("metadata is %.200v, want %.200v", got, want)
	}
}

// metadataByManyHands has changes of many hands to the same object all kept.
func metadataByManyHands(t *testing.T, s store.Store) {
	create(t, s, newRecord("job"))
	var hands sync.WaitGroup
	for i := range 8 {
		hands.Go(func() {
			for j := range 5 {
				patch := metadata.Patch(map[string]any{fmt.Sprint(i, "-", j): j})
				if err := s.ChangeMetadata(t.Context(), "acme", "job", patch); err != nil {
					t.Error(err)
				}
			}
		})
	}
	hands.Wait()
	r, err := s.Get(t.Context(), "acme", "job")
	must(t, err)
	var object map[string]int
	must(t, json.Unmarshal(r.PostSessionMetadata, &object))
	same(t, "number of keys", len(object), 40)
}

func deletion(t *testing.T, s store.Store) {
	ctx := t.Context()
	l := claim(t, s, "job")
	must(t, l.AppendAudio(ctx, []byte("old audio")))
	must(t, l.Sync(9))
	appendEvent(t, l, "k", "{}")
	wants(t, s.Delete(ctx, "acme", "job"), store.ErrNotFinished)
	must(t, l.Finish(ctx, store.Outcome{}))
	must(t, l.Close())
	must(t, s.Delete(ctx, "acme", "job"))
	wants(t, s.Delete(ctx, "acme", "job"), store.ErrNotFound)
	_, err := s.Get(ctx, "acme", "job")
	wants(t, err, store.ErrNotFound)
	_, err = s.Claim(ctx, "job", store.IfFree)
	wants(t, err, store.ErrNotFound)

	again := claim(t, s, "job")
	same(t, "audio size of a new session of that id", again.AudioSize(), 0)
	marks, err := again.Marks(ctx)
	must(t, err)
	same(t, "number of its acks", len(marks.Sent), 0)
	events, err := again.Events(ctx, 0, 10)
	must(t, err)
	same(t, "number of its events", len(events), 0)
	must(t, again.Close())
}

func deletionUnderHandle(t *testing.T, s store.Store) {
	ctx := t.Context()
	l := claim(t, s, "job")
	must(t, l.AppendAudio(ctx, []byte("audio")))
	must(t, l.Finish(ctx, store.Outcome{}))
	reader, err := s.OpenAudio(ctx, "acme", "job")
	must(t, err)
	must(t, s.Delete(ctx, "acme", "job"))
	awaitLost(t, l, store.ErrNotFound)
	_, _, err = l.AppendEvent(ctx, messages.Event{Key: messages.Key{Kind: messages.KindEndSession}}, -1, nil)
	wants(t, err, store.ErrNotFound)
	wants(t, l.AppendAudio(ctx, []byte("more")), store.ErrNotFound)
	wants(t, l.Sync(1), store.ErrNotFound)
	wants(t, l.Finish(ctx, store.Outcome{}), store.ErrNotFound)
	left, err := io.ReadAll(reader)
	must(t, err)
	same(t, "audio being read", string(left), "audio")
	must(t, reader.Close())
	must(t, l.Close())
}

// finishedBefore wants the records that ended, of all accounts and kinds, in the order of their
// ends.
func finishedBefore(t *testing.T, s timed) {
	ctx := t.Context()
	other := newRecord("other")
	other.Account = "zeta"
	create(t, s, newRecord("late"), newRecord("early"), other, newRecord("open"), newJob("failed", 0),
		newJob("queued", 1))
	end := func(id string) {
		t.Helper()
		s.advance(time.Minute)
		finish(t, s, id, 0)
	}
	named := func(before time.Time, limit int, want ...string) {
		t.Helper()
		list, err := s.Expired(ctx, store.Expired{Before: before}, limit)
		must(t, err)
		var got []string
		for _, r := range list {
			got = append(got, r.Account+"/"+r.ID)
		}
		same(t, "finished records", strings.Join(got, " "), strings.Join(want, " "))
	}
	named(s.now().Add(time.Hour), 10)
	end("early")
	end("other")
	s.advance(time.Minute)
	must(t, s.FinishJob(ctx, take(t, s, "failed"), store.Outcome{ErrorCode: 500}))
	end("late")
	named(s.now(), 10, "acme/early", "zeta/other", "acme/failed")
	named(s.now().Add(time.Millisecond), 10, "acme/early", "zeta/other", "acme/failed", "acme/late")
	named(s.now().Add(time.Hour), 2, "acme/early", "zeta/other")
	named(s.now().Add(time.Hour), 0)
	must(t, s.Delete(ctx, "acme", "early"))
	named(s.now().Add(time.Hour), 2, "zeta/other", "acme/failed")
}

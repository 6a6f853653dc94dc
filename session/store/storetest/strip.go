package storetest

import (
	"encoding/json"
	"testing"
	"time"

	"steno/messages"
	"steno/session/store"
)

// stripSession erases the parts of a session one after another, before and after the store had time
// to move them elsewhere.
func stripSession(t *testing.T, s store.Store) {
	ctx := t.Context()
	r := newRecord("job")
	r.Transient = store.PartAudio | store.PartTranscripts
	create(t, s, r, newRecord("other"))
	l, err := s.Claim(ctx, "job", store.IfFree)
	must(t, err)
	must(t, l.AppendAudio(ctx, []byte("audio")))
	key := messages.Key{Kind: messages.KindFinal, Subject: "1"}
	_, _, err = l.AppendEvent(ctx, messages.Event{Key: key, Body: []byte("{}")}, 0, []byte("checkpoint"))
	must(t, err)
	wants(t, s.Strip(ctx, "acme", "job", store.PartAudio), store.ErrNotFinished)
	must(t, l.Finish(ctx, store.Outcome{Result: json.RawMessage(`{"a":1}`), Seconds: 1}))
	wants(t, s.Strip(ctx, "acme", "job", store.PartAudio), store.ErrClaimed)
	must(t, l.Close())
	wants(t, s.Strip(ctx, "zeta", "job", store.PartAudio), store.ErrNotFound)
	wants(t, s.Strip(ctx, "acme", "other", store.PartAudio), store.ErrNotFinished)
	wants(t, s.Strip(ctx, "acme", "job", 0), store.ErrInvalid)
	later := time.Now().Add(time.Hour)
	expired := func(q store.Expired, want int) {
		t.Helper()
		q.Before = later
		list, err := s.Expired(ctx, q, 10)
		must(t, err)
		same(t, "expired records", len(list), want)
	}
	transient := store.Expired{Transient: true}
	expired(transient, 1)
	must(t, s.Strip(ctx, "acme", "job", store.PartAudio))
	_, err = s.OpenAudio(ctx, "acme", "job")
	wants(t, err, store.ErrErased)
	expired(transient, 1)
	expired(store.Expired{Parts: store.PartAudio}, 0)
	expired(store.Expired{Parts: store.PartMessages, Except: []string{"acme"}}, 0)
	expired(store.Expired{Parts: store.PartMessages, Account: "acme", From: later}, 0)
	expired(store.Expired{Parts: store.PartMessages, Account: "acme", From: epoch}, 1)
	got, err := s.Get(ctx, "acme", "job")
	must(t, err)
	same(t, "result", string(got.Result), `{"a":1}`)
	must(t, s.Strip(ctx, "acme", "job", store.PartTranscripts|store.PartMessages))
	must(t, s.Strip(ctx, "acme", "job", store.AllParts)) // once more changes nothing
	expired(transient, 0)
	got, err = s.Get(ctx, "acme", "job")
	must(t, err)
	same(t, "result", string(got.Result), "")
	same(t, "stripped", got.Stripped, store.AllParts)
	same(t, "status", got.Status, messages.StatusDone)
	same(t, "parameters", string(got.Params), string(r.Params))
	events, err := s.Events(ctx, "acme", "job", 0, 10)
	must(t, err)
	same(t, "events", len(events), 0)
	must(t, s.Delete(ctx, "acme", "job"))
}

// stripUpload wants an upload to go with the last record that has not let go of it.
func stripUpload(t *testing.T, s store.Store) {
	ctx := t.Context()
	kept := upload(t, s, "file", "audio")
	one, two := newJob("one", 0), newJob("two", 1)
	one.Upload, two.Upload = kept.ID, kept.ID
	create(t, s, one, two)
	for _, id := range []string{"one", "two"} {
		must(t, s.FinishJob(ctx, take(t, s, id), store.Outcome{Result: json.RawMessage(`{}`)}))
		_, err := s.Upload(ctx, "acme", kept.ID)
		must(t, err)
		must(t, s.Strip(ctx, "acme", id, store.PartAudio))
		r, err := s.Get(ctx, "acme", id)
		must(t, err)
		same(t, "upload", r.Upload, "")
	}
	_, err := s.Upload(ctx, "acme", kept.ID)
	wants(t, err, store.ErrNotFound)
}

// transientBodies wants the callbacks of a record whose transcripts are not kept to go out with
// them, and to have none when they have gone out or are dead.
func transientBodies(t *testing.T, s timed) {
	ctx := t.Context()
	r := newRecord("job")
	r.Transient = store.PartTranscripts
	create(t, s, r)
	enqueue(t, s, delivery("job", 1, "one"), delivery("job", 2, "two"))
	d := claimOne(t, s, "one")
	same(t, "body", len(d.Body) > 0, true)
	must(t, s.Failed(ctx, d, s.now(), 500, "it said what it got"))
	d = claimOne(t, s, "one")
	must(t, s.Dead(ctx, d, 500, "it said what it got"))
	wants(t, s.Redeliver(ctx, d.ID), store.ErrNotFound)
	same(t, "failure", listed(t, s, "", store.DeliveryDead)[0].Failure, "")
	must(t, s.Sent(ctx, claimOne(t, s, "two")))
	wants(t, s.Redeliver(ctx, listed(t, s, "", store.DeliverySent)[0].ID), store.ErrSent)
}

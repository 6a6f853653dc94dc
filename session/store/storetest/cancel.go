package storetest

import (
	"testing"

	"steno/session/store"
)

// cancelSession wants a session that runs to be gone, whoever has claimed it.
func cancelSession(t *testing.T, s store.Store) {
	ctx := t.Context()
	l := claim(t, s, "job")
	must(t, l.AppendAudio(ctx, []byte("audio")))
	appendEvent(t, l, "k", "{}")
	wants(t, s.Cancel(ctx, "zeta", "job"), store.ErrNotFound)
	must(t, s.Cancel(ctx, "acme", "job"))
	wants(t, s.Cancel(ctx, "acme", "job"), store.ErrNotFound)
	_, err := s.Get(ctx, "acme", "job")
	wants(t, err, store.ErrNotFound)
	_, err = s.Events(ctx, "acme", "job", 0, 1)
	wants(t, err, store.ErrNotFound)
	_, err = s.OpenAudio(ctx, "acme", "job")
	wants(t, err, store.ErrNotFound)
	awaitLost(t, l, store.ErrNotFound)
	wants(t, l.AppendAudio(ctx, []byte("more")), store.ErrNotFound)
	wants(t, l.SetStopped(ctx), store.ErrNotFound)
	wants(t, l.Finish(ctx, store.Outcome{}), store.ErrNotFound)
	must(t, l.Close())
	_, err = s.Claim(ctx, "job", store.IfFree)
	wants(t, err, store.ErrNotFound)
}

// cancelJob wants a job to be gone with its place in the queue, its callbacks and its upload, and
// its worker to learn of it.
func cancelJob(t *testing.T, s timed) {
	ctx := t.Context()
	upload(t, s, "shared", "audio")
	upload(t, s, "own", "audio")
	first, second, third := newJob("first", 0), newJob("second", 1), newJob("third", 2)
	first.Upload, second.Upload, third.Upload = "own", "shared", "shared"
	create(t, s, first, second, third)
	l := take(t, s, "first")
	must(t, s.Enqueue(ctx, delivery("first", 0, "progress")))
	must(t, s.Cancel(ctx, "acme", "first"))
	same(t, "deliveries", pending(t, s), "")
	_, err := s.Upload(ctx, "acme", "own")
	wants(t, err, store.ErrNotFound)
	wants(t, s.ExtendJob(ctx, l, 1e9), store.ErrLost)
	wants(t, s.FetchedJob(ctx, l, "shared"), store.ErrLost)
	wants(t, s.GiveBackJob(ctx, l), store.ErrLost)
	wants(t, s.FinishJob(ctx, l, store.Outcome{}, delivery("first", 0, "transcription.success")), store.ErrLost)
	same(t, "deliveries of the lost worker", pending(t, s), "")
	must(t, s.Cancel(ctx, "acme", "second")) // never taken
	_, err = s.Upload(ctx, "acme", "shared")
	must(t, err)
	must(t, s.FinishJob(ctx, take(t, s, "third"), store.Outcome{}))
	take(t, s, "")
	must(t, s.Cancel(ctx, "acme", "third")) // finished: as Delete
	_, err = s.Upload(ctx, "acme", "shared")
	wants(t, err, store.ErrNotFound)
}

package storetest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"steno/messages"
	"steno/session/store"
)

// begin begins an upload and writes something.
func begin(t *testing.T, s store.Store, id, content string) store.UploadWriter {
	t.Helper()
	w, err := s.NewUpload(t.Context(), id)
	must(t, err)
	_, err = io.WriteString(w, content)
	must(t, err)
	return w
}

// upload makes an upload of account "acme".
func upload(t *testing.T, s store.Store, id, content string) store.Upload {
	t.Helper()
	w := begin(t, s, id, content)
	u, err := w.Commit(t.Context(), store.Upload{Account: "acme", CreatedAt: epoch})
	must(t, err)
	return u
}

// wantGone wants an upload, and the file its bytes were in, to be there no more.
func wantGone(t *testing.T, s store.Store, id, path string) {
	t.Helper()
	_, err := s.Upload(t.Context(), "acme", id)
	wants(t, err, store.ErrNotFound)
	_, err = s.OpenUpload(t.Context(), "acme", id)
	wants(t, err, store.ErrNotFound)
	_, err = os.Stat(path)
	wants(t, err, fs.ErrNotExist)
}

// pathOf is where an upload's bytes are while it is open.
func pathOf(t *testing.T, s store.Store, id string) string {
	t.Helper()
	f, err := s.OpenUpload(t.Context(), "acme", id)
	must(t, err)
	defer func() { must(t, f.Close()) }()
	return f.Path()
}

func uploadRoundTrip(t *testing.T, s store.Store) {
	ctx := t.Context()
	seconds, channels := 12.5, 2
	want := store.Upload{
		ID: "45463597-20b7-4af7-b3b3-f5fb778203ab", Account: "acme", Key: hash("k"), Filename: "../Ünï.mp3",
		Source:    "https://host/a?b",
		Extension: "mp3", Size: 100_000, Duration: &seconds, Channels: &channels, CreatedAt: epoch,
	}
	content := bytes.Repeat([]byte("0123456789"), 10_000)
	w, err := s.NewUpload(ctx, want.ID)
	must(t, err)
	for part := range bytes.SplitAfterSeq(content, []byte("9")) {
		_, err := w.Write(part)
		must(t, err)
	}
	_, err = s.Upload(ctx, "acme", want.ID)
	wants(t, err, store.ErrNotFound)
	probed, err := os.ReadFile(w.Path())
	must(t, err)
	same(t, "file to be probed", string(probed), string(content))
	given := want
	given.ID, given.Size = "", 0
	kept, err := w.Commit(ctx, given)
	must(t, err)
	must(t, w.Discard())
	got, err := s.Upload(ctx, "acme", want.ID)
	must(t, err)
	for _, u := range []store.Upload{kept, got} {
		if !reflect.DeepEqual(u, want) {
			t.Fatalf("got\n%+v, want\n%+v", u, want)
		}
	}
	f, err := s.OpenUpload(ctx, "acme", want.ID)
	must(t, err)
	same(t, "size", f.Size(), want.Size)
	must(t, iotest.TestReader(f, content))
	decoded, err := os.ReadFile(f.Path())
	must(t, err)
	same(t, "file to be decoded", string(decoded), string(content))
	must(t, f.Close())
	bare := upload(t, s, "bare", "")
	same(t, "has duration or channels", bare.Duration != nil || bare.Channels != nil, false)
}

func badUploads(t *testing.T, s store.Store) {
	ctx := t.Context()
	upload(t, s, "known", "audio")
	begun := begin(t, s, "begun", "audio")
	for id, want := range map[string]error{
		"known": store.ErrExists, "begun": store.ErrExists,
		"": store.ErrInvalid, "../../etc": store.ErrInvalid, "new/x": store.ErrInvalid,
		strings.Repeat("a", 65): store.ErrInvalid,
	} {
		if _, err := s.NewUpload(ctx, id); !errors.Is(err, want) {
			t.Errorf("%q: error is %v, want %v", id, err, want)
		}
	}
	_, err := begun.Commit(ctx, store.Upload{CreatedAt: epoch})
	wants(t, err, store.ErrInvalid)
	_, err = begun.Write([]byte("more"))
	wants(t, err, store.ErrInvalid)
	path := begun.Path()
	must(t, begun.Discard())
	wantGone(t, s, "begun", path)

	_, err = s.Upload(ctx, "zeta", "known")
	wants(t, err, store.ErrNotFound)
	_, err = s.OpenUpload(ctx, "zeta", "known")
	wants(t, err, store.ErrNotFound)
	wants(t, s.DeleteUpload(ctx, "zeta", "known"), store.ErrNotFound)
	wants(t, s.DeleteUpload(ctx, "acme", "none"), store.ErrNotFound)
	wants(t, s.DeleteUpload(ctx, "acme", ""), store.ErrNotFound)
	_, err = s.Upload(ctx, "acme", "known")
	must(t, err)
}

func uploadsDiscarded(t *testing.T, s store.Store) {
	w := begin(t, s, "file", "first")
	path := w.Path()
	must(t, w.Discard())
	must(t, w.Discard())
	wantGone(t, s, "file", path)
	_, err := w.Write([]byte("more"))
	wants(t, err, store.ErrLost)
	_, err = w.Commit(t.Context(), store.Upload{Account: "acme"})
	wants(t, err, store.ErrLost)
	same(t, "size of a new one of that id", upload(t, s, "file", "again, from the start").Size, 21)
	must(t, w.Discard())
	pathOf(t, s, "file")
}

func uploadUse(t *testing.T, s store.Store) {
	ctx := t.Context()
	upload(t, s, "file", "audio")
	path := pathOf(t, s, "file")
	for _, id := range []string{"first", "second"} {
		r := newRecord(id)
		r.Upload = "file"
		create(t, s, r)
		finish(t, s, id, 0)
	}
	wants(t, s.DeleteUpload(ctx, "acme", "file"), store.ErrUsed)
	must(t, s.Delete(ctx, "acme", "first"))
	wants(t, s.DeleteUpload(ctx, "acme", "file"), store.ErrUsed)
	reader, err := s.OpenUpload(ctx, "acme", "file")
	must(t, err)
	must(t, s.Delete(ctx, "acme", "second"))
	wantGone(t, s, "file", path)
	left, err := io.ReadAll(reader)
	must(t, err)
	same(t, "upload being read", string(left), "audio")
	must(t, reader.Close())

	upload(t, s, "file", "other audio")
	path = pathOf(t, s, "file")
	must(t, s.DeleteUpload(ctx, "acme", "file"))
	wantGone(t, s, "file", path)
	wants(t, s.DeleteUpload(ctx, "acme", "file"), store.ErrNotFound)
}

// unusedUploads has a clock that stands still: times are relative to it.
func unusedUploads(t *testing.T, s timed) {
	for i, id := range []string{"new", "used", "old", "oldest"} {
		w := begin(t, s, id, id)
		account := "acme"
		if id == "old" {
			account = "zeta"
		}
		_, err := w.Commit(t.Context(), store.Upload{Account: account,
			CreatedAt: epoch.Add(-time.Duration(i) * time.Hour)})
		must(t, err)
	}
	r := newRecord("job")
	r.Kind, r.Upload = messages.JobPreRecorded, "used"
	create(t, s, r)
	unused := func(before time.Time, limit int) string {
		all, err := s.UnusedUploads(t.Context(), before, limit)
		must(t, err)
		var ids []string
		for _, u := range all {
			ids = append(ids, u.ID)
		}
		return strings.Join(ids, " ")
	}
	same(t, "before the newest", unused(epoch, 10), "oldest old")
	same(t, "all", unused(epoch.Add(1), 10), "oldest old")
	same(t, "all and a millisecond", unused(epoch.Add(time.Millisecond), 10), "oldest old new")
	same(t, "one", unused(epoch, 1), "oldest")
	must(t, s.DeleteUpload(t.Context(), "zeta", "old"))
	same(t, "what is left", unused(epoch, 10), "oldest")
}

// held wants a store to count the uploads and recordings of each key as long as they are there, and
// nothing else. What is in a bucket takes none of the room.
func held(t *testing.T, s store.Store) {
	ctx, counted := t.Context(), int64(1)
	if strings.Contains(t.Name(), "/bucket/") {
		counted = 0
	}
	add := func(id, key, content string) {
		w := begin(t, s, id, content)
		u := store.Upload{Account: "acme", CreatedAt: epoch}
		if key != "" {
			u.Key = hash(key)
		}
		_, err := w.Commit(ctx, u)
		must(t, err)
	}
	wantHeld := func(a, b, none int64) {
		t.Helper()
		got, err := s.Held(ctx)
		must(t, err)
		if got[string(hash("a"))] != a*counted || got[string(hash("b"))] != b*counted || got[""] != none*counted {
			t.Fatalf("held is %v, want %d, %d and %d", got, a, b, none)
		}
		bytes, err := s.Stored(ctx, "acme")
		must(t, err)
		same(t, "bytes of the account", bytes, a+b+none)
	}
	if got, err := s.Held(ctx); err != nil || len(got) != 0 {
		t.Fatalf("at first %v, %v", got, err)
	}
	add("one", "a", strings.Repeat("1", 1000))
	add("two", "a", strings.Repeat("2", 200))
	add("three", "b", "3")
	add("four", "", "44")
	discarded := begin(t, s, "five", "555")
	wantHeld(1200, 1, 2)
	must(t, discarded.Discard())
	must(t, s.DeleteUpload(ctx, "acme", "three"))
	job := newRecord("job")
	job.Kind, job.Status, job.Upload, job.Key = messages.JobPreRecorded, messages.StatusDone, "two", hash("a")
	session := newRecord("session")
	session.Key = hash("b")
	create(t, s, job, session)
	l, err := s.Claim(ctx, "session", store.IfFree)
	must(t, err)
	must(t, l.AppendAudio(ctx, make([]byte, 32000)))
	must(t, l.Finish(ctx, store.Outcome{Result: json.RawMessage(`{}`), Seconds: 1, Channels: 1}))
	must(t, l.Close())
	wantHeld(1200, 32000, 2)
	must(t, s.Delete(ctx, "acme", "job"))
	must(t, s.Delete(ctx, "acme", "session"))
	wantHeld(1000, 0, 2)
}

package embedded

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"steno/messages"
	"steno/session/store"
	"steno/session/store/backup"
)

// backUp makes a backup of a data folder, and returns its folder.
func backUp(t *testing.T, dir string) (string, backup.Manifest) {
	t.Helper()
	to := filepath.Join(t.TempDir(), "backup")
	w, err := backup.Create(to, backup.DataFolder)
	if err == nil {
		_, err = Backup(t.Context(), dir, w)
	}
	var m backup.Manifest
	if err == nil {
		m, err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return to, m
}

// restored opens the data folder that is made of a backup.
func restored(t *testing.T, from string, m backup.Manifest) *Store {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data")
	if err := backup.Restore(t.Context(), from, m, dir); err != nil {
		t.Fatal(err)
	}
	s := openIn(t, dir)
	t.Cleanup(func() {
		if d := s.Damages(); len(d) > 0 {
			t.Errorf("damaged are %v", d)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// TestBackup backs up a store while it is used: a finished session, one under way, an upload, a
// key.
func TestBackup(t *testing.T) {
	ctx, dir := t.Context(), t.TempDir()
	s := openIn(t, dir)
	defer s.Close()
	done := claimNew(t, s, "done-1")
	speakTo(t, done, 10_000)
	check(t, done.Finish(ctx, store.Outcome{Result: []byte(`{"a":1}`), Seconds: 1}))
	check(t, done.Close())
	check(t, s.AddKey(ctx, store.Key{Hash: make([]byte, 32), Account: "acme"}))
	running := claimNew(t, s, "running")
	speakTo(t, running, 100_001)
	up, err := s.NewUpload(ctx, "upload-1")
	check(t, err)
	_, err = io.WriteString(up, "a recording")
	check(t, err)
	_, err = up.Commit(ctx, store.Upload{Account: "acme"})
	check(t, err)

	from, m := backUp(t, dir)
	speakTo(t, running, 5000) // what comes afterwards does no harm
	r := restored(t, from, m)
	for _, id := range []string{"done-1", "running"} {
		got, err := r.Get(ctx, "acme", id)
		check(t, err)
		want, err := s.Get(ctx, "acme", id)
		check(t, err)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %+v, was %+v", id, got, want)
		}
	}
	l, err := r.Claim(ctx, "running", store.IfFree)
	check(t, err)
	marks, err := l.Marks(ctx)
	check(t, err)
	if l.AudioSize() != 100_001 || marks.Last() != 100_001 || len(l.Losses()) > 0 {
		t.Errorf("the session under way has %d bytes, acknowledged %d, losses %v", l.AudioSize(), marks.Last(),
			l.Losses())
	}
	events, err := l.Events(ctx, 0, 10)
	if err != nil || len(events) != 1 {
		t.Errorf("events are %v, %v", events, err)
	}
	file, err := r.OpenUpload(ctx, "acme", "upload-1")
	check(t, err)
	text, err := io.ReadAll(file)
	if err := errors.Join(err, file.Close()); err != nil || string(text) != "a recording" {
		t.Errorf("the upload is %q, %v", text, err)
	}
	if keys, err := r.ListKeys(ctx); err != nil || len(keys) != 1 {
		t.Errorf("keys are %v, %v", keys, err)
	}
}

// TestBackupsWhileWriting backs up a store repeatedly during a session: each restored journal holds
// all acknowledged audio.
func TestBackupsWhileWriting(t *testing.T) {
	ctx, dir := t.Context(), t.TempDir()
	s := openIn(t, dir)
	defer s.Close()
	l := claimNew(t, s, "running")
	stop, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		for i := int64(1); ; i++ {
			select {
			case <-stop:
				ended <- nil
				return
			default:
			}
			if err := errors.Join(l.AppendAudio(ctx, make([]byte, 321)), l.Sync(l.AudioSize()),
				l.Confirm(ctx, l.AudioSize()/2, 0)); err != nil {
				ended <- err
				return
			}
		}
	}()
	for range 5 {
		from, m := backUp(t, dir)
		r := restored(t, from, m)
		h, err := r.Claim(ctx, "running", store.IfFree)
		check(t, err)
		marks, err := h.Marks(ctx)
		check(t, err)
		if h.AudioSize() < marks.Last() || len(h.Losses()) > 0 {
			t.Errorf("%d bytes, acknowledged %d, losses %v", h.AudioSize(), marks.Last(), h.Losses())
		}
	}
	close(stop)
	check(t, <-ended)
}

// Paths may be relative to where the process is.
func TestRelativePaths(t *testing.T) {
	dir := t.TempDir()
	s := openIn(t, filepath.Join(dir, "data"))
	defer s.Close()
	claimNew(t, s, "done-1").Close()
	t.Chdir(dir)
	w, err := backup.Create("kept", backup.DataFolder)
	if err != nil {
		t.Fatal(err)
	}
	if done, err := Backup(t.Context(), "data", w); err != nil || done.Records != 1 {
		t.Fatalf("%+v, %v", done, err)
	}
	if said := lookAtPages(t.Context(), filepath.Join("kept", "steno.db")); len(said) > 0 {
		t.Errorf("damaged is %q", said)
	}
}

// TestBackupOfNothing wants a folder without a database to be refused, and none to be made.
func TestBackupOfNothing(t *testing.T) {
	dir := t.TempDir()
	w, err := backup.Create(filepath.Join(t.TempDir(), "b"), backup.DataFolder)
	check(t, err)
	if _, err := Backup(t.Context(), dir, w); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("the folder has %v, %v", entries, err)
	}
}

// speakTo appends audio that is acknowledged, and an event, to a session.
func speakTo(t *testing.T, l store.Live, bytes int) {
	t.Helper()
	check(t, l.AppendAudio(t.Context(), make([]byte, bytes)))
	check(t, l.Sync(l.AudioSize()))
	e := messages.Event{Key: messages.Key{Kind: messages.KindFinal, Subject: fmt.Sprint(l.AudioSize())},
		Body: []byte("{}")}
	_, _, err := l.AppendEvent(t.Context(), e, 0, []byte("checkpoint"))
	check(t, err)
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

package embedded

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"steno/session/store"
	"steno/session/store/embedded/limittest"
)

func beginUpload(t *testing.T, s *Store, id, content string) store.UploadWriter {
	t.Helper()
	w, err := s.NewUpload(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, content); err != nil {
		t.Fatal(err)
	}
	return w
}

func commitUpload(t *testing.T, w store.UploadWriter) {
	t.Helper()
	if _, err := w.Commit(t.Context(), store.Upload{Account: "acme", CreatedAt: time.Now()}); err != nil {
		t.Fatal(err)
	}
}

// TestUploadsAfterDeath opens a store whose process died at each step of an upload's life.
func TestUploadsAfterDeath(t *testing.T) {
	ctx, dir := t.Context(), t.TempDir()
	s := openIn(t, dir)
	for _, id := range []string{"whole", "moving", "removed"} {
		commitUpload(t, beginUpload(t, s, id, id))
	}
	place := func(id string) string { return s.uploadPath(id) }
	fresh := func(id string) string { return filepath.Join(dir, newUploads, id) }
	for _, err := range []error{
		os.WriteFile(fresh("torn"), []byte("half"), fileMode),
		os.Rename(place("moving"), fresh("moving")), // the row was there first
		os.Remove(filepath.Dir(place("moving"))),    // as a copy of the data folder without empty folders has it
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, statement := range []string{`INSERT INTO upload_removals SELECT id, account FROM uploads WHERE id = 'removed'`,
		`DELETE FROM uploads WHERE id = 'removed'`} {
		if _, err := s.write.ExecContext(ctx, statement); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.NewUpload(ctx, "removed"); !errors.Is(err, store.ErrExists) {
		t.Errorf("error is %v, want ErrExists: the file would be removed", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = openIn(t, dir)
	for _, id := range []string{"whole", "moving"} {
		if content, err := os.ReadFile(place(id)); err != nil || string(content) != id {
			t.Errorf("%s has %q, %v", id, content, err)
		}
	}
	for _, path := range []string{fresh("torn"), fresh("moving"), place("removed")} {
		if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is there: %v", path, err)
		}
	}
	if err := beginUpload(t, s, "removed", "again").Discard(); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestUploadMisplaced makes it impossible to put the file in its place: nothing of the upload may
// stay.
func TestUploadMisplaced(t *testing.T) {
	s := openIn(t, t.TempDir())
	w := beginUpload(t, s, "file", "audio")
	obstacle := s.uploadPath("file")
	if err := os.MkdirAll(filepath.Join(obstacle, "x"), folderMode); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Commit(t.Context(), store.Upload{Account: "acme"}); err == nil {
		t.Error("committed without a place")
	}
	if _, err := s.Upload(t.Context(), "acme", "file"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("error is %v, want ErrNotFound", err)
	}
	if err := errors.Join(w.Discard(), os.RemoveAll(obstacle)); err != nil {
		t.Error(err)
	}
	commitUpload(t, beginUpload(t, s, "file", "audio"))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestUploadFullDisk makes the system take a part of a write and refuse the rest, by a limit of the
// file's size.
func TestUploadFullDisk(t *testing.T) {
	if !limittest.Run(t) {
		return
	}
	dir := t.TempDir()
	s := openIn(t, dir)
	w := beginUpload(t, s, "file", "audio")
	if _, err := w.Write(make([]byte, limittest.Size)); !errors.Is(err, syscall.EFBIG) {
		t.Errorf("error is %v, want EFBIG", err)
	}
	if _, err := w.Write([]byte("a")); !errors.Is(err, syscall.EFBIG) {
		t.Errorf("error is %v, want the first one", err)
	}
	if _, err := w.Commit(t.Context(), store.Upload{Account: "acme"}); !errors.Is(err, syscall.EFBIG) {
		t.Errorf("error is %v, want the first one", err)
	}
	if err := w.Discard(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(filepath.Join(dir, newUploads)); err != nil || len(left) > 0 {
		t.Errorf("%d files are left, %v", len(left), err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestUploadNoSpace writes to a device that is always full.
func TestUploadNoSpace(t *testing.T) {
	f, err := os.OpenFile("/dev/full", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no /dev/full here: ", err)
	}
	w := &uploadWriter{file: f}
	if _, err := w.Write([]byte("abc")); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("error is %v, want ENOSPC", err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

package embedded

import (
	"errors"
	"io/fs"
	"path/filepath"
	"syscall"
	"testing"
)

// TestPermissions finds nothing that other users can read, whatever the process's umask.
func TestPermissions(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	dir := filepath.Join(t.TempDir(), "data")
	s := openIn(t, dir)
	l := claimNew(t, s, "job")
	if err := l.Sync(1); err != nil {
		t.Fatal(err)
	}
	commitUpload(t, beginUpload(t, s, "committed", "audio"))
	begun := beginUpload(t, s, "begun", "audio")
	seen := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		seen++
		return err
	})
	if err != nil || seen < 13 {
		t.Fatalf("saw %d files and folders, %v", seen, err)
	}
	if err := errors.Join(begun.Discard(), s.Close()); err != nil {
		t.Fatal(err)
	}
}

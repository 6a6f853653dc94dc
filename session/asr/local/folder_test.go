package local

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"testing"
)

func names(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// dead makes a folder as a killed process leaves it.
func dead(t *testing.T, parent string) string {
	t.Helper()
	f, err := lockedFolder(parent)
	if err != nil {
		t.Fatal(err)
	}
	socket, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err == nil {
		err = errors.Join(syscall.Bind(socket, &syscall.SockaddrUnix{Name: filepath.Join(f.path, "1")}),
			syscall.Close(socket))
	}
	if err = errors.Join(err, f.lock.Close()); err != nil {
		t.Fatal(err)
	}
	return filepath.Base(f.path)
}

// TestSweep checks which folders are removed and which stay.
func TestSweep(t *testing.T) {
	parent, err := os.MkdirTemp("", "ft")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(parent)
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, lockName), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	gone := []string{dead(t, parent), dead(t, parent)}
	alive, err := newFolder(parent)
	if err != nil {
		t.Fatal(err)
	}
	stay := []string{filepath.Base(alive.path), "other-1", "steno-engine-file", "steno-engine-link", "steno-engine-new"}
	if err := errors.Join(
		os.Mkdir(filepath.Join(parent, "other-1"), 0o700),
		os.WriteFile(filepath.Join(parent, "other-1", lockName), nil, 0o600),
		os.WriteFile(filepath.Join(parent, "steno-engine-file"), nil, 0o600),
		os.Symlink(outside, filepath.Join(parent, "steno-engine-link")),
		os.Mkdir(filepath.Join(parent, "steno-engine-new"), 0o700),
	); err != nil {
		t.Fatal(err)
	}
	gone = append(gone, dead(t, parent))
	if os.Geteuid() == 0 { // only root can change the owner of folders
		foreign := dead(t, parent)
		if err := os.Chown(filepath.Join(parent, foreign), 65534, 65534); err != nil {
			t.Fatal(err)
		}
		stay = append(stay, foreign)
	}
	sweep(parent)
	slices.Sort(stay)
	if got := names(t, parent); !slices.Equal(got, stay) {
		t.Errorf("there are %v, want %v, not %v", got, stay, gone)
	}
	if got := names(t, outside); len(got) != 1 {
		t.Errorf("what the link leads to: %v", got)
	}
	if err := alive.remove(); err != nil {
		t.Error(err)
	}
	sweep(filepath.Join(parent, "nowhere"))
}

// TestSweepsRace has many concurrent starts: none loses its folder to another's sweep.
func TestSweepsRace(t *testing.T) {
	parent, err := os.MkdirTemp("", "ft")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(parent)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 50 {
				f, err := newFolder(parent)
				if err != nil {
					t.Errorf("new folder: %v", err)
					return
				}
				sweep(parent)
				if !f.locked(os.Stat(filepath.Join(f.path, lockName))) {
					t.Error("a folder in use was swept away")
				}
				if err := f.remove(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if left := names(t, parent); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

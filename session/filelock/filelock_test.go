package filelock

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestOneHolds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	first, err := Open(path, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path, 0o600); !errors.Is(err, ErrHeld) {
		t.Errorf("a second one: %v", err)
	}
	if err := Close(first); err != nil {
		t.Fatal(err)
	}
	next, err := Open(path, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if err := Close(next); err != nil {
		t.Error(err)
	}
	if _, err := Open(filepath.Join(path, "below"), 0o600); err == nil || errors.Is(err, ErrHeld) {
		t.Errorf("a file below a file: %v", err)
	}
}

// The file of a lock may be open in a program that is being started: the lock ends nevertheless.
func TestCloseUnlocksCopies(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	f, err := Open(path, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	fd, err := syscall.Dup(int(f.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	heir := os.NewFile(uintptr(fd), "copy")
	defer heir.Close()
	if err := Close(f); err != nil {
		t.Fatal(err)
	}
	next, err := Open(path, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	_ = Close(next)
}

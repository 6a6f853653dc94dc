package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/rs/zerolog"

	"steno/cmd/steno/config"
	"steno/cmd/steno/stores"
)

// A data folder that others may look into is made private, which is logged once.
func TestDataFolderIsMadePrivate(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "data")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(folder, 0o777); err != nil { // whatever the umask is
		t.Fatal(err)
	}
	var lines bytes.Buffer
	log := zerolog.New(&lines)
	keepPrivate(folder, log)
	keepPrivate(folder, log)
	info, err := os.Stat(folder)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if strings.Count(lines.String(), "\n") != 1 || !strings.Contains(lines.String(), "0700") {
		t.Errorf("log %s", lines.String())
	}
}

// One that belongs to somebody else stays as it is, and the log states so.
func TestDataFolderOfAnother(t *testing.T) {
	const foreign = "/proc/self" // its mode cannot be changed, by root either
	var lines bytes.Buffer
	keepPrivate(foreign, zerolog.New(&lines))
	if !strings.Contains(lines.String(), `"level":"warn"`) || !strings.Contains(lines.String(), "0700") {
		t.Errorf("log %s", lines.String())
	}
}

// An attempt to start a gateway, or its tools, on the data of another user fails with advice on
// what to do.
func TestDeniedDataFolder(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
	c := config.Config{Data: filepath.Join(dir, "data")}
	for name, open := range map[string]func() error{
		"store":  func() error { _, err := stores.Open(t.Context(), c, zerolog.Nop()); return err },
		"keys":   func() error { _, err := stores.OpenKeys(t.Context(), c); return err },
		"outbox": func() error { _, err := stores.OpenOutbox(t.Context(), c); return err },
	} {
		err := unprivileged(open)
		if !errors.Is(err, os.ErrPermission) || !strings.Contains(err.Error(), "chown -R steno "+c.Data) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// unprivileged calls f without what root may do with the files of others, on a thread that ends
// then.
func unprivileged(f func() error) error {
	done := make(chan error)
	go func() {
		if os.Geteuid() == 0 {
			runtime.LockOSThread()
			if err := syscall.Setfsuid(65534); err != nil {
				done <- err
				return
			}
		}
		done <- f()
	}()
	return <-done
}

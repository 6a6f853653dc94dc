package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"steno/session/store/embedded"
	"steno/session/store/valkeytest"
)

// command runs a command line and returns what it prints.
func command(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := run(context.Background(), args, process{stdout: &out, stderr: io.Discard})
	return out.String(), err
}

// TestBackupCommand backs up a data folder that is in use, spoils the backup, and restores what was
// not spoiled.
func TestBackupCommand(t *testing.T) {
	dir, to := t.TempDir(), filepath.Join(t.TempDir(), "backup")
	s, err := embedded.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := command(t, "keys", "add", "--data", dir, "kept"); err != nil {
		t.Fatal(err)
	}
	if said, err := command(t, "backup", "--data", dir, "--to", to); err != nil ||
		!strings.Contains(said, "0 records") {
		t.Fatalf("%q, %v", said, err)
	}
	if _, err := command(t, "backup", "--data", dir, "--to", to); err == nil {
		t.Error("backed up over another backup")
	}
	if _, err := command(t, "restore", "--from", to, "--data", dir); err == nil {
		t.Error("restored over a data folder")
	}
	if said, err := command(t, "restore", "--from", to, "--verify"); err != nil ||
		!strings.Contains(said, "as they were written") {
		t.Errorf("%q, %v", said, err)
	}
	restored := filepath.Join(t.TempDir(), "data")
	if said, err := command(t, "restore", "--from", to, "--data", restored); err != nil ||
		!strings.Contains(said, "0 damages") {
		t.Errorf("%q, %v", said, err)
	}
	if said, err := command(t, "keys", "list", "--data", restored); err != nil || !strings.Contains(said, "kept") {
		t.Errorf("keys are %q, %v", said, err)
	}
	if said, err := command(t, "backup", "prune", to, "--data", dir); err != nil || !strings.Contains(said,
		"erased: 0") {
		t.Errorf("%q, %v", said, err)
	}
	if _, err := command(t, "restore", "--from", to, "--verify"); err != nil {
		t.Errorf("after it was pruned: %v", err)
	}
	if _, err := command(t, "restore", "--from", to, "--valkey", "127.0.0.1:1", "--blob", to); err == nil {
		t.Error("a data folder was restored into a server")
	}
	if err := os.Truncate(filepath.Join(to, "steno.db"), 100); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"--verify"}, {"--data", filepath.Join(t.TempDir(), "data")}} {
		if _, err := command(t, append([]string{"restore", "--from", to}, args...)...); err == nil ||
			!strings.Contains(err.Error(), "steno.db") {
			t.Errorf("%v of a spoiled backup: %v", args, err)
		}
	}
	for _, args := range [][]string{{"restore"}, {"restore", "--from", t.TempDir()}, {"backup", "--to", to, "--data",
		filepath.Join(dir, "none")}} {
		if _, err := command(t, args...); err == nil {
			t.Errorf("%v is accepted", args)
		}
	}
}

// TestBackupOfSharedStore moves a store that gateways share to another server, and restores to a
// server what it has lost.
func TestBackupOfSharedStore(t *testing.T) {
	from, to := valkeytest.Start(t), valkeytest.Start(t)
	blobs, others, dir := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "backup")
	hasKey := func(addr string) {
		t.Helper()
		if said, err := command(t, "keys", "list", "--valkey", addr); err != nil || !strings.Contains(said, "kept") {
			t.Errorf("keys are %q, %v", said, err)
		}
	}
	if _, err := command(t, "keys", "add", "--valkey", from.Addr(), "kept"); err != nil {
		t.Fatal(err)
	}
	if _, err := command(t, "backup", "--valkey", from.Addr(), "--to", dir); err == nil {
		t.Error("backed up without the blobs")
	}
	if said, err := command(t, "backup", "--valkey", from.Addr(), "--blob", blobs, "--to", dir); err != nil ||
		!strings.Contains(said, "2 files") {
		t.Fatalf("%q, %v", said, err)
	}
	if said, err := command(t, "restore", "--from", dir, "--valkey", to.Addr(), "--blob", others); err != nil ||
		!strings.Contains(said, "1 keys") {
		t.Fatalf("%q, %v", said, err)
	}
	hasKey(to.Addr())
	from.Must("FLUSHALL")
	if said, err := command(t, "restore", "--valkey", from.Addr(), "--blob", blobs); err != nil ||
		!strings.Contains(said, "1 keys") {
		t.Fatalf("%q, %v", said, err)
	}
	hasKey(from.Addr())
	if _, err := command(t, "restore", "--from", dir, "--data", t.TempDir()); err == nil {
		t.Error("blobs were restored into a data folder")
	}
}

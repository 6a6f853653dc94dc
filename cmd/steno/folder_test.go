package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rs/zerolog"
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

// One that belongs to somebody else stays as it is, and the log says so.
func TestDataFolderOfAnother(t *testing.T) {
	const foreign = "/proc/self" // its mode cannot be changed, by root either
	var lines bytes.Buffer
	keepPrivate(foreign, zerolog.New(&lines))
	if !strings.Contains(lines.String(), `"level":"warn"`) || !strings.Contains(lines.String(), "0700") {
		t.Errorf("log %s", lines.String())
	}
}

package backup

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// written makes a backup of two files.
func written(t *testing.T) (dir string, m Manifest) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "b")
	w, err := Create(dir, DataFolder)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Add("sessions/ab/audio", strings.NewReader("sound")); err != nil {
		t.Fatal(err)
	}
	path, err := w.Path("database")
	if err == nil {
		err = os.WriteFile(path, []byte("rows"), 0o644)
	}
	if err == nil {
		err = w.Made("database")
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an unfinished backup: %v", err)
	}
	if m, err = w.Close(); err != nil {
		t.Fatal(err)
	}
	return dir, m
}

func TestBackup(t *testing.T) {
	dir, _ := written(t)
	m, err := Open(dir)
	if err != nil || len(m.Files) != 2 || m.Kind != DataFolder {
		t.Fatalf("manifest %+v, %v", m, err)
	}
	to := filepath.Join(t.TempDir(), "new")
	if err := Restore(t.Context(), dir, m, to); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(to, "sessions/ab/audio"))
	if err != nil || string(text) != "sound" {
		t.Errorf("restored is %q, %v", text, err)
	}
	if info, err := os.Stat(filepath.Join(to, "database")); err != nil || info.Mode().Perm() != fileMode {
		t.Errorf("the mode is %v, %v", info.Mode(), err)
	}
	if err := Restore(t.Context(), dir, m, to); err == nil {
		t.Error("restored into a folder that has something")
	}
	if _, err := Create(to, DataFolder); err == nil {
		t.Error("backed up into a folder that has something")
	}
}

func TestDamagedBackup(t *testing.T) {
	for name, damage := range map[string]func(path string) error{
		"changed": func(path string) error { return os.WriteFile(path, []byte("SOUND"), 0o600) },
		"shorter": func(path string) error { return os.Truncate(path, 4) },
		"missing": os.Remove,
	} {
		dir, m := written(t)
		if err := damage(filepath.Join(dir, "sessions/ab/audio")); err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(t.TempDir(), "new")
		err := Restore(t.Context(), dir, m, to)
		if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "sessions/ab/audio") {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(to); err == nil {
			t.Errorf("%s: something was restored", name)
		}
	}
	for _, name := range []string{"../out", "/etc/x", manifestName} {
		w, err := Create(t.TempDir(), Blobs)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Add(name, strings.NewReader("")); err == nil {
			t.Errorf("%s was written", name)
		}
	}
	dir, _ := written(t)
	path := filepath.Join(dir, manifestName)
	text, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, []byte(strings.Replace(string(text), "sessions", "../../..", 1)), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir); !errors.Is(err, ErrDamaged) {
		t.Errorf("a manifest that leads out of its folder: %v", err)
	}
}

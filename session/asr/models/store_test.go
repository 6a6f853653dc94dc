package models

import (
	"os"
	"path/filepath"
	"testing"
)

// stored returns an entry whose archive a server has, options with a store, and the server.
func stored(t *testing.T) (Entry, Options, *origin) {
	t.Helper()
	o := &origin{content: packed(t, archiveFiles())}
	e, _ := wheelModel(t, serve(t, o))
	e.Wheel = nil
	options := quick()
	options.Store = filepath.Join(t.TempDir(), "cache", "models")
	return e, options, o
}

// Several folders share a model that is fetched once; each of them is identical to one that fetched
// it itself.
func TestStoreIsShared(t *testing.T) {
	e, options, o := stored(t)
	for range 3 {
		dir := t.TempDir()
		m, err := Install(within(t), e, dir, options)
		if err != nil {
			t.Fatal(err)
		}
		checkPinned(t, dir, "NOTICE")
		if m.Source != e.Address || len(o.asked()) != 1 {
			t.Errorf("%+v, asked %v", m, o.asked())
		}
		there, err := os.Stat(filepath.Join(options.Store, "m", "encoder_model.ort"))
		if err != nil {
			t.Fatal(err)
		}
		here, err := os.Stat(filepath.Join(dir, "m", "encoder_model.ort"))
		if err != nil || !os.SameFile(there, here) || here.Mode().Perm() != pinnedMode {
			t.Errorf("not the same file: %v, %v", here, err)
		}
		if err := Remove(within(t), dir, "m"); err != nil {
			t.Error(err)
		}
	}
	checkPinned(t, options.Store, "NOTICE")
	if _, err := Install(within(t), e, options.Store, options); err != nil || len(o.asked()) != 1 {
		t.Errorf("into the store itself: %v, asked %v", err, o.asked())
	}
}

// A damaged file of the store is not passed on: the model is fetched again.
func TestDamagedStore(t *testing.T) {
	e, options, o := stored(t)
	if _, err := Install(within(t), e, t.TempDir(), options); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(options.Store, "m", "tokenizer.bin")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("something else"), 0o600); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if _, err := Install(within(t), e, dir, options); err != nil || len(o.asked()) != 2 {
		t.Errorf("%v, asked %v", err, o.asked())
	}
	checkPinned(t, dir, "NOTICE")
	checkPinned(t, options.Store, "NOTICE")
}

// Without a store that can be written the model is fetched into its folder.
func TestNoStore(t *testing.T) {
	e, options, _ := stored(t)
	if err := os.WriteFile(filepath.Dir(options.Store), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if _, err := Install(within(t), e, dir, options); err != nil {
		t.Fatal(err)
	}
	checkPinned(t, dir, "NOTICE")
}

func TestCopyFile(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	if err := os.WriteFile(from, noise(100_000), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := copyFile(from, to); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(to); err != nil || sum(got) != sum(noise(100_000)) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if err := copyFile(from, to); err == nil {
		t.Error("a file was replaced")
	}
}

func TestStoreFolder(t *testing.T) {
	for want, environ := range map[string][]string{
		"/c/steno/models":              {"XDG_CACHE_HOME=/c", "HOME=/home/me"},
		"/home/me/.cache/steno/models": {"XDG_CACHE_HOME=relative", "HOME=/home/me"},
		"":                             {"HOME="},
	} {
		if got := StoreFolder(environ); got != want {
			t.Errorf("%v: %q, want %q", environ, got, want)
		}
	}
}

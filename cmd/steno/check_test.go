package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"

	"steno/session/store"
	"steno/session/store/embedded"
)

// spoil damages a page in the middle of a data folder's database, and returns the file and what it
// holds then.
func spoil(t *testing.T, dir string) (path string, content []byte) {
	t.Helper()
	path = filepath.Join(dir, "steno.db")
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	copy(content[len(content)/8192*4096:], bytes.Repeat([]byte{0xEE}, 4096))
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path, content
}

// checkFolder runs steno check.
func checkFolder(t *testing.T, args ...string) (c checked, err error) {
	t.Helper()
	var out bytes.Buffer
	err = run(t.Context(), append([]string{"check", "--json"}, args...), process{stdout: &out, stderr: io.Discard})
	if out.Len() > 0 {
		if err := json.Unmarshal(out.Bytes(), &c); err != nil {
			t.Fatalf("%v: %s", err, out.Bytes())
		}
	}
	return c, err
}

// TestCheckCommand checks a folder that is whole, in use, spoiled and repaired.
func TestCheckCommand(t *testing.T) {
	dir := t.TempDir()
	if _, err := checkFolder(t, dir); err == nil {
		t.Error("an empty folder was checked")
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("the check has made %v, %v", left, err)
	}
	s, err := embedded.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.AddKey(t.Context(), store.Key{Hash: make([]byte, 32), Account: "acme", Name: "one"}); err != nil {
		t.Fatal(err)
	}
	if _, err := checkFolder(t, dir, "--repair"); err == nil {
		t.Error("a folder in use was checked")
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if c, err := checkFolder(t, dir); err != nil || len(c.Damages) > 0 {
		t.Errorf("whole: %+v, %v", c, err)
	}
	spoil(t, dir)
	if c, err := checkFolder(t, dir); err == nil || len(c.Damages) == 0 {
		t.Errorf("spoiled: %+v, %v", c, err)
	}
	if c, err := checkFolder(t, dir, "--repair"); err != nil || len(c.Repaired) == 0 {
		t.Errorf("repaired: %+v, %v", c, err)
	}
	if c, err := checkFolder(t, dir); err != nil || len(c.Damages) > 0 {
		t.Errorf("after the repair: %+v, %v", c, err)
	}
	keys, err := embedded.OpenKeys(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer keys.Close()
	if list, err := keys.ListKeys(t.Context()); err != nil || len(list) != 1 {
		t.Errorf("keys after the repair: %v, %v", list, err)
	}
}

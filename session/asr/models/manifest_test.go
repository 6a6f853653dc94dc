package models

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

const anySum = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

func TestReadManifest(t *testing.T) {
	dir := t.TempDir()
	if _, err := ReadManifest(dir); !errors.Is(err, ErrNoManifest) {
		t.Errorf("an empty folder: %v", err)
	}
	want := Manifest{
		Name: "m", Languages: []string{"de", "fr"}, Kind: OfflineWhisper, Licence: "MIT",
		Source:   "https://example.com/m.tar.bz2",
		Verified: "checksum", Files: []File{{Name: "sub/a.onnx", Size: 3, SHA256: anySum}},
	}
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ManifestName), text, 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := ReadManifest(dir)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestManifestRefusals(t *testing.T) {
	file := func(name, size, sum string) string {
		return `{"name":"m","files":[{"name":` + name + `,"size":` + size + `,"sha256":"` + sum + `"}]}`
	}
	for name, c := range map[string]struct{ text, says string }{
		"no JSON":       {"{", "unexpected EOF"},
		"unknown key":   {`{"nome":"m"}`, `"nome"`},
		"path out":      {file(`"../x"`, "1", anySum), "files[0]: name"},
		"absolute path": {file(`"/etc/passwd"`, "1", anySum), "files[0]: name"},
		"unclean path":  {file(`"a/./b"`, "1", anySum), "files[0]: name"},
		"drive":         {file(`"c:x"`, "1", anySum), "files[0]: name"},
		"backslash":     {file(`"..\\x"`, "1", anySum), "files[0]: name"},
		"empty path":    {file(`""`, "1", anySum), "files[0]: name"},
		"long path":     {file(`"`+strings.Repeat("x", maxPath+1)+`"`, "1", anySum), "files[0]: name"},
		"size":          {file(`"x"`, "-1", anySum), "files[0]: size"},
		"checksum":      {file(`"x"`, "1", "abc"), "files[0]: sha256"},
		"capitals":      {file(`"x"`, "1", strings.ToUpper(anySum)), "files[0]: sha256"},
		"twice": {
			`{"files":[{"name":"x","sha256":"` + anySum + `"},{"name":"x","sha256":"` + anySum + `"}]}`,
			`files[1]: "x" is there twice`,
		},
		"large": {strings.Repeat(" ", maxManifest+1), "larger than"},
		"many": {
			`{"files":[` + strings.TrimSuffix(strings.Repeat(`{"name":"x"},`, maxFiles+1), ",") + `]}`,
			"files: more than",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := parseManifest([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want it to say %s", err, c.says)
			}
		})
	}
}

func FuzzParseManifest(f *testing.F) {
	f.Add([]byte(`{"name":"m","languages":["de"],"files":[{"name":"a/b.onnx","size":3,"sha256":"` + anySum + `"}]}`))
	f.Add([]byte(`{"files":[{"name":"../b"}]}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := parseManifest(text)
		if err != nil {
			return
		}
		for _, file := range m.Files {
			rel, err := filepath.Rel("/models/m", filepath.Join("/models/m", file.Name))
			if err != nil || rel == "." || strings.HasPrefix(rel, "..") {
				t.Errorf("%q leads out of the folder", file.Name)
			}
		}
	})
}

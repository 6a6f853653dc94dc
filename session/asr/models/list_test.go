package models

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// installed is a models' folder with the model "m" of someFiles in it.
func installed(t *testing.T) (dir string) {
	t.Helper()
	content := packed(t, someFiles())
	dir = t.TempDir()
	if _, err := Install(within(t), model(content, serve(t, &origin{content: content})), dir, quick()); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestVerifyNamesEveryFault(t *testing.T) {
	dir := installed(t)
	at := filepath.Join(dir, "m")
	flip := func(name string) {
		b, err := os.ReadFile(filepath.Join(at, name))
		if err != nil {
			t.Fatal(err)
		}
		b[len(b)-1] ^= 1
		if err := os.WriteFile(filepath.Join(at, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	check := func(want ...Fault) {
		t.Helper()
		if got, err := Verify(within(t), dir, "m"); err != nil || !slices.Equal(got, want) {
			t.Errorf("got %v, %v; want %v", got, err, want)
		}
	}
	check()
	flip("encoder.onnx")
	check(Fault{"encoder.onnx", Damaged})
	flip("encoder.onnx")
	check()
	if err := errors.Join(
		os.Truncate(filepath.Join(at, "encoder.onnx"), 39_999), os.Remove(filepath.Join(at, "test_wavs", "0.wav")),
		os.WriteFile(filepath.Join(at, "test_wavs", "1.wav"), nil, 0o600), os.Remove(filepath.Join(at, "tokens.txt")),
		os.WriteFile(filepath.Join(dir, "t.txt"), someFiles()["pack/tokens.txt"], 0o600),
		os.Symlink("../t.txt", filepath.Join(at, "tokens.txt")), // the right bytes, elsewhere; even the sizes are equal
	); err != nil {
		t.Fatal(err)
	}
	check(Fault{"encoder.onnx", Damaged}, Fault{"test_wavs/0.wav", Missing}, Fault{"test_wavs/1.wav", Added},
		Fault{"tokens.txt", Damaged})
	ctx, cancel := context.WithCancel(within(t))
	cancel()
	flip("encoder.onnx")
	if err := os.Truncate(filepath.Join(at, "encoder.onnx"), 40_000); err != nil {
		t.Fatal(err)
	}
	if _, err := Verify(ctx, dir, "m"); !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
	if _, err := Verify(within(t), dir, "other"); !errors.Is(err, ErrNoManifest) {
		t.Errorf("not installed: %v", err)
	}
}

func TestRemove(t *testing.T) {
	dir := installed(t)
	if err := Remove(within(t), dir, "m"); err != nil || exists(filepath.Join(dir, "m")) {
		t.Errorf("%v", err)
	}
	checkTidy(t, dir)
	for _, d := range []string{dir, filepath.Join(dir, "none")} {
		if err := Remove(within(t), d, "m"); !errors.Is(err, ErrNotInstalled) {
			t.Errorf("%s: %v", d, err)
		}
	}
	for _, name := range []string{".m.part", ".m.part.json", ".m.unpack", ".m.gone"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := Remove(within(t), dir, "m"); err != nil {
		t.Errorf("leftovers: %v", err)
	}
	checkTidy(t, dir)
}

func TestRemoveWaitsForInstall(t *testing.T) {
	dir := installed(t)
	unlock, err := lock(within(t), dir, "m", func() {})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(within(t))
	cancel()
	if err := Remove(ctx, dir, "m"); !errors.Is(err, context.Canceled) || !exists(filepath.Join(dir, "m")) {
		t.Errorf("%v", err)
	}
	unlock()
	if err := Remove(within(t), dir, "m"); err != nil {
		t.Error(err)
	}
}

func TestList(t *testing.T) {
	none, err := List(filepath.Join(t.TempDir(), "none"))
	if err != nil || len(none) != len(Catalogue()) {
		t.Fatalf("%d, %v", len(none), err)
	}
	for i, e := range Catalogue() {
		if !reflect.DeepEqual(none[i], Item{Entry: e, Known: true}) {
			t.Errorf("%s: %+v", e.Name, none[i])
		}
	}
	dir := installed(t)
	known := none[3].Name
	if err := errors.Join(
		os.Mkdir(filepath.Join(dir, "own"), 0o755), os.Mkdir(filepath.Join(dir, known), 0o755),
		os.Mkdir(filepath.Join(dir, ".hidden"), 0o755), os.WriteFile(filepath.Join(dir, "file"), nil, 0o600),
		os.Mkdir(filepath.Join(dir, "bad"), 0o755), os.WriteFile(filepath.Join(dir, "bad", ManifestName), []byte("{"),
			0o600),
	); err != nil {
		t.Fatal(err)
	}
	items, err := List(dir)
	if err != nil || len(items) != len(none)+3 {
		t.Fatalf("%d, %v", len(items), err)
	}
	if i := items[3]; !i.Installed || !i.Known || i.Problem != "no model.json" {
		t.Errorf("%+v", i)
	}
	rest := items[len(none):]
	if i := rest[0]; i.Name != "bad" || !i.Installed || i.Known || !strings.Contains(i.Problem, "unexpected EOF") {
		t.Errorf("%+v", i)
	}
	if i := rest[1]; i.Name != "m" || !i.Installed || i.Known || i.Problem != "" || i.Licence != "MIT" ||
		i.Size != 43_008 {
		t.Errorf("%+v", i)
	}
	if i := rest[2]; i.Name != "own" || i.Problem != "no model.json" {
		t.Errorf("%+v", i)
	}
}

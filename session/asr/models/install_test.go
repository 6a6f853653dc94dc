package models

import (
	"context"
	"encoding/base64"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestInstall(t *testing.T) {
	files := someFiles()
	content := packed(t, files)
	o := &origin{content: content, tag: `"1"`}
	dir := filepath.Join(t.TempDir(), "models")
	e := model(content, serve(t, o))
	options := quick()
	var stages []Stage
	options.Progress = func(s Stage, done, total int64) {
		if total != int64(len(content)) || done > total {
			t.Errorf("%s: %d of %d", s, done, total)
		}
		stages = append(stages, s)
	}
	m, err := Install(within(t), e, dir, options)
	if err != nil {
		t.Fatal(err)
	}
	checkInstalled(t, dir, files)
	read, err := ReadManifest(filepath.Join(dir, "m"))
	if err != nil || !reflect.DeepEqual(read, m) {
		t.Errorf("the manifest of the folder is %+v, %v; Install returned %+v", read, err, m)
	}
	if m.Kind != e.Kind || m.Source != e.Address || m.Verified != "catalogue" || m.Licence != e.Licence {
		t.Errorf("manifest: %+v", m)
	}
	if got := slices.Compact(stages); !reflect.DeepEqual(got, []Stage{Fetching, Checking, Unpacking}) {
		t.Errorf("stages: %v", got)
	}
	if again, err := Install(within(t), e, dir, quick()); err != nil || !reflect.DeepEqual(again, m) ||
		len(o.asked()) != 1 {
		t.Errorf("the second time: %+v, %v, asked %v", again, err, o.asked())
	}
}

// bunzipped is the output of `tar cj` for pack/a.txt, "hello".
const bunzipped = "QlpoOTFBWSZTWf5BpQIAAHL7gMmAAAJAAc+AAQBqTN5ACAggAFQ0hGg000HqG0maCSSaADIaGgH3dw5CCb0IRHqFhG+2tAhgYlOD" +
	"xPYRJxBp6s4jib2g6dxRUp+EfZVsu0iIgLi7kinChIfyDSgQ"

func TestInstallForms(t *testing.T) {
	bz2, err := base64.StdEncoding.DecodeString(bunzipped)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		content []byte
		files   map[string][]byte
	}{
		"m.tar.bz2": {bz2, map[string][]byte{"pack/a.txt": []byte("hello")}},
		"m.tgz":     {packed(t, someFiles()), someFiles()},
		"m.onnx":    {noise(5000), map[string][]byte{"x/m.onnx": noise(5000)}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			e := model(c.content, serve(t, &origin{content: c.content}))
			e.Address = strings.TrimSuffix(e.Address, "m.tar.gz") + name
			if _, err := Install(within(t), e, dir, quick()); err != nil {
				t.Fatal(err)
			}
			checkInstalled(t, dir, c.files)
		})
	}
}

func TestFlippedBitIsRefused(t *testing.T) {
	files := someFiles()
	content := packed(t, files)
	bad := slices.Clone(content)
	bad[len(bad)/2] ^= 4
	o := &origin{content: bad, tag: `"1"`}
	dir := t.TempDir()
	e := model(content, serve(t, o))
	_, err := Install(within(t), e, dir, quick())
	if !errors.Is(err, ErrChecksum) || !strings.Contains(err.Error(), sum(bad)) || !strings.Contains(err.Error(),
		sum(content)) {
		t.Fatalf("got %v", err)
	}
	checkTidy(t, dir)
	o.content, o.tag = content, `"2"`
	if _, err := Install(within(t), e, dir, quick()); err != nil {
		t.Fatal(err)
	}
	checkInstalled(t, dir, files)
}

func TestOccupiedFolderIsLeftAlone(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "m", "own"), 0o755); err != nil {
		t.Fatal(err)
	}
	content := packed(t, someFiles())
	o := &origin{content: content}
	if _, err := Install(within(t), model(content, serve(t, o)), dir, quick()); !errors.Is(err, ErrOccupied) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "m", "own")); err != nil || len(o.asked()) > 0 {
		t.Errorf("%v, asked %v", err, o.asked())
	}
}

func TestNamesAreChecked(t *testing.T) {
	for _, name := range []string{"", ".", "..", ".m", "a/b", "../m", "a\\b", "c:", "a\nb", strings.Repeat("x", 129)} {
		e := Entry{Name: name, Address: "https://example.com/x/y.onnx"}
		if _, err := Install(within(t), e, t.TempDir(), quick()); err == nil || !strings.Contains(err.Error(),
			"cannot be a model's name") {
			t.Errorf("%q: %v", name, err)
		}
		if err := Remove(within(t), t.TempDir(), name); err == nil || errors.Is(err, ErrNotInstalled) {
			t.Errorf("remove %q: %v", name, err)
		}
		if _, err := Verify(within(t), t.TempDir(), name); err == nil {
			t.Errorf("verify %q: no error", name)
		}
	}
}

func TestTwoAtOnce(t *testing.T) {
	files := someFiles()
	content := packed(t, files)
	o := &origin{content: content, tag: `"1"`}
	e, dir := model(content, serve(t, o)), t.TempDir()
	ctx := within(t)
	errs := make(chan error)
	const several = 4
	for range several {
		go func() {
			_, err := Install(ctx, e, dir, quick())
			errs <- err
		}()
	}
	for range several {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	if n := len(o.asked()); n != 1 {
		t.Errorf("asked %d times", n)
	}
	checkInstalled(t, dir, files)
}

// A second pull reports that it waits, and can be cancelled.
func TestWaitingForTheLock(t *testing.T) {
	dir := t.TempDir()
	unlock, err := lock(within(t), dir, "m", func() {})
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	ctx, cancel := context.WithCancel(within(t))
	options := quick()
	options.Progress = func(s Stage, _, _ int64) {
		if s != Waiting {
			t.Errorf("stage %s", s)
		}
		cancel()
	}
	if _, err := Install(ctx, model(nil, "https://example.com"), dir, options); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

//go:build unix

package folder

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"steno/session/asr/models"
)

// TestFilesWithoutAnEnd has links and pipes where reading would never end.
func TestFilesWithoutAnEnd(t *testing.T) {
	dir := recognizers()[9].write(t, nil)
	const name = "joiner-epoch-99-avg-1.onnx"
	manifest(t, dir, models.Manifest{Name: "m", Languages: []string{"en"}}, "encoder-epoch-99-avg-1.onnx",
		"decoder-epoch-99-avg-1.onnx", name, "tokens.txt")
	got, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	linked(name, "/dev/zero")(t, dir)
	if err := got.Verify(); err == nil || !strings.Contains(err.Error(), name+": a link that leads out") {
		t.Errorf("a link to a device: %v", err)
	}
	pipe := func(name string) {
		remove(name)(t, dir)
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o600); err != nil {
			t.Skip(err)
		}
	}
	pipe(name)
	if err := got.Verify(); err == nil || !strings.Contains(err.Error(), name+": not a regular file") {
		t.Errorf("a pipe: %v", err)
	}
	pipe(models.ManifestName)
	if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), "model.json: not a regular file") {
		t.Errorf("a pipe for a manifest: %v", err)
	}
	remove(models.ManifestName)(t, dir)
	if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), name+": not a regular file") {
		t.Errorf("a pipe for a model: %v", err)
	}
}

package main

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// What clients are told of an engine is right as soon as it is there, though it was away when it was asked last.
func TestModelsOnceAnEngineIsThere(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and starts the engine")
	}
	binary := filepath.Join(t.TempDir(), "steno-engine")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary, "steno/cmd/steno-engine").CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	c, err := loadConfig("", nil)
	if err != nil {
		t.Fatal(err)
	}
	c.Engine, c.Data, c.Engines.Binary = "scripted", t.TempDir(), binary
	r, err := startRecognition(t.Context(), c, nil, silentObserver())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	_ = r.ready() // most likely it is not: the engine is asked while it starts
	if err := r.starts.wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, m := range r.Models(t.Context()) {
		if len(m.Languages) == 0 || len(m.Engines) != 1 || !m.Engines[0].Available {
			t.Errorf("%+v", m)
		}
	}
	if err := r.ready(); err != nil {
		t.Errorf("models are there, but: %v", err)
	}
}

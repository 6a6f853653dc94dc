// Package recognizerstest installs models that are nothing but files, for tests.
package recognizerstest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"steno/session/asr/models"
)

// Install writes the folder of a model with that manifest, and empty files.
func Install(t *testing.T, dir string, m models.Manifest, files ...string) {
	t.Helper()
	folder := filepath.Join(dir, m.Name)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	text, err := json.Marshal(m)
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, models.ManifestName), text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// InstallMoonshine writes that of a model for English which only Moonshine takes.
func InstallMoonshine(t *testing.T, dir string) {
	t.Helper()
	Install(t, dir, models.Manifest{Name: "tiny", Languages: []string{"en"}, Kind: models.Moonshine,
		Licence: "MIT", Files: []models.File{}},
		"encoder_model.ort", "decoder_model_merged.ort")
}

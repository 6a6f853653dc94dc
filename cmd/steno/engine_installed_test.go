package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"steno/cmd/steno/config"
	"steno/session/asr/models"
)

// installModel writes the folder of a model with that manifest, and empty files.
func installModel(t *testing.T, dir string, m models.Manifest, files ...string) {
	t.Helper()
	folder := filepath.Join(dir, m.Name)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(files, models.ManifestName) {
		if name != models.ManifestName {
			text = nil
		}
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
		text, _ = json.Marshal(m)
	}
}

func installMoonshine(t *testing.T, dir string) {
	t.Helper()
	installModel(t, dir, models.Manifest{Name: "tiny", Languages: []string{"en"}, Kind: models.Moonshine,
		Licence: "MIT", Files: []models.File{}},
		"encoder_model.ort", "decoder_model_merged.ort")
}

// setupIn returns what a configuration without a file sets up, with its data in a folder of the
// test.
func setupIn(t *testing.T, environ ...string) engineSetup {
	t.Helper()
	c, err := config.Load("", append(environ, "STENO_DATA="+t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	return engineSetup{Config: c}
}

// Each engine waits for a model of its kind.
func TestEnginesTakeModelsOfTheirKind(t *testing.T) {
	c := setupIn(t)
	c.Engines.More = map[string]config.NamedEngine{"other": {Moonshine: &config.Moonshine{Use: []string{"tiny"}}}}
	want := func(moonshine, sherpa bool) {
		t.Helper()
		for name, want := range map[string]bool{"moonshine": moonshine, "other": moonshine, "sherpa": sherpa,
			"sphinx": true, "scripted": true} {
			engine, err := c.localEngine(name)
			if err != nil {
				t.Fatal(err)
			}
			if got := engine.Enabled(); got != want {
				t.Errorf("%s is enabled: %v", name, got)
			}
		}
	}
	want(false, false)
	installMoonshine(t, c.modelsDir())
	want(true, false)
	installModel(t, c.modelsDir(), models.Manifest{Name: "kroko-de", Languages: []string{"de"},
		Kind: models.OnlineTransducer, Files: []models.File{}})
	want(true, true)
	if got := c.servedModels(); !slices.Equal(got, []string{"kroko-de (licence: CC-BY-SA-4.0)",
		"tiny (licence: MIT)"}) {
		t.Errorf("served: %q", got)
	}
	c.Engine = "moonshine"
	if got := c.servedModels(); !slices.Equal(got, []string{"tiny (licence: MIT)"}) {
		t.Errorf("served by moonshine alone: %q", got)
	}
}

func TestMoonshineArguments(t *testing.T) {
	c := setupIn(t)
	c.Engines.Moonshine = config.Moonshine{Use: []string{"a", "b"}, Slots: 2, Decodes: 4}
	want := []string{"--engine=moonshine", "--models=" + c.modelsDir(), "--use=a,b", "--slots=2", "--decodes=4"}
	if got := c.engineArgs("moonshine"); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	c.Engines.More = map[string]config.NamedEngine{"other": {Moonshine: &config.Moonshine{}}}
	if got := c.engineArgs("other"); !slices.Equal(got, want[:2]) {
		t.Errorf("%q", got)
	}
}

// PocketSphinx stands in where nothing but auto names it, and is needless where a model has its
// language.
func TestPocketSphinxStandsIn(t *testing.T) {
	c := setupIn(t)
	in := c.standIn("sphinx")
	if in == nil || in.Language != "en" || in.Needless() {
		t.Fatalf("without models: %+v", in)
	}
	installModel(t, c.modelsDir(), models.Manifest{Name: "kroko-de", Languages: []string{"de"},
		Kind: models.OnlineTransducer, Files: []models.File{}})
	installModel(t, c.modelsDir(), models.Manifest{Name: "punct", Languages: []string{"en"}, Kind: models.Punctuation,
		Files: []models.File{}})
	if in.Needless() {
		t.Error("needless beside German and punctuation")
	}
	installMoonshine(t, c.modelsDir())
	if !in.Needless() {
		t.Error("needed beside a model for English")
	}
	for name, change := range map[string]func(*engineSetup){
		"engine":   func(c *engineSetup) { c.Engine = "sphinx" },
		"a plan":   func(c *engineSetup) { c.Models.STT1.Engines = []string{"moonshine", "sphinx"} },
		"a fusion": func(c *engineSetup) { c.Models.STTFusion.Engines = []string{"moonshine", "sphinx"} },
		"partials": func(c *engineSetup) {
			c.Engines.More = map[string]config.NamedEngine{"pair": {Moonshine: &config.Moonshine{}, Partials: "sphinx"}}
			c.Models.STT3.Engines = []string{"pair"}
		},
	} {
		named := c
		change(&named)
		if named.standIn("sphinx") != nil {
			t.Errorf("named by %s it only stands in", name)
		}
	}
	if c.standIn("moonshine") != nil {
		t.Error("moonshine stands in")
	}
}

// Models that the user's data folders share are taken where nothing of the kind is installed, came
// with the program, or is configured.
func TestSharedModels(t *testing.T) {
	c := setupIn(t)
	if c.Engines.Store != "" {
		t.Fatalf("store %q without a home", c.Engines.Store)
	}
	cache := t.TempDir()
	c = setupIn(t, "XDG_CACHE_HOME="+cache)
	store := filepath.Join(cache, "steno", "models")
	if got := c.modelsFor(moonshineModels); got != c.modelsDir() {
		t.Errorf("nothing anywhere: %s", got)
	}
	installMoonshine(t, store)
	if got := c.modelsFor(moonshineModels); got != store || !c.standIn("sphinx").Needless() {
		t.Errorf("shared: %s, PocketSphinx needed %v", got, !c.standIn("sphinx").Needless())
	}
	if got := c.modelsFor(sherpaModels); got != c.modelsDir() {
		t.Errorf("another kind: %s", got)
	}
	if got := c.servedModels(); !slices.Equal(got, []string{"tiny (licence: MIT)"}) {
		t.Errorf("served: %q", got)
	}
	configured := c
	configured.Engines.Models = t.TempDir()
	if got := configured.modelsFor(moonshineModels); got != configured.Engines.Models {
		t.Errorf("another folder is configured: %s", got)
	}
	installMoonshine(t, c.modelsDir())
	if got := c.modelsFor(moonshineModels); got != c.modelsDir() {
		t.Errorf("installed too: %s", got)
	}
}

// What serves without a model, and the command that changes it, are in the log's first lines.
func TestWithoutAModel(t *testing.T) {
	c := setupIn(t)
	if text := c.noModel("bin/steno"); !strings.Contains(text, "PocketSphinx serves") ||
		!strings.Contains(text, "\n    bin/steno models pull moonshine-tiny-en --models ") {
		t.Errorf("%q", text)
	}
}

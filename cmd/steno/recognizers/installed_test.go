package recognizers

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"steno/cmd/steno/config"
	"steno/cmd/steno/recognizers/recognizerstest"
	"steno/session/asr/models"
)

// setupIn returns what a configuration without a file sets up, with its data in a folder of the
// test.
func setupIn(t *testing.T, environ ...string) Setup {
	t.Helper()
	c, err := config.Load("", append(environ, "STENO_DATA="+t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	return Setup{Config: c}
}

// Each engine waits for a model of its kind.
func TestEnginesTakeModelsOfTheirKind(t *testing.T) {
	c := setupIn(t)
	c.Engines.More = map[string]config.NamedEngine{"other": {Moonshine: &config.Moonshine{Use: []string{"tiny"}}}}
	want := func(moonshine, sherpa bool) {
		t.Helper()
		for name, want := range map[string]bool{"moonshine": moonshine, "other": moonshine, "sherpa": sherpa,
			"sphinx": true, "scripted": true} {
			engine, err := c.Local(name)
			if err != nil {
				t.Fatal(err)
			}
			if got := engine.Enabled(); got != want {
				t.Errorf("%s is enabled: %v", name, got)
			}
		}
	}
	want(false, false)
	recognizerstest.InstallMoonshine(t, c.ModelsFolder())
	want(true, false)
	recognizerstest.Install(t, c.ModelsFolder(), models.Manifest{Name: "kroko-de", Languages: []string{"de"},
		Kind: models.OnlineTransducer, Files: []models.File{}})
	want(true, true)
	if got := c.Served(); !slices.Equal(got, []string{"kroko-de (licence: CC-BY-SA-4.0)",
		"tiny (licence: MIT)"}) {
		t.Errorf("served: %q", got)
	}
	c.Engine = "moonshine"
	if got := c.Served(); !slices.Equal(got, []string{"tiny (licence: MIT)"}) {
		t.Errorf("served by moonshine alone: %q", got)
	}
}

func TestMoonshineArguments(t *testing.T) {
	c := setupIn(t)
	c.Engines.Moonshine = config.Moonshine{Use: []string{"a", "b"}, Slots: 2, Decodes: 4}
	want := []string{"--engine=moonshine", "--models=" + c.ModelsFolder(), "--use=a,b", "--slots=2", "--decodes=4"}
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
	recognizerstest.Install(t, c.ModelsFolder(), models.Manifest{Name: "kroko-de", Languages: []string{"de"},
		Kind: models.OnlineTransducer, Files: []models.File{}})
	recognizerstest.Install(t, c.ModelsFolder(), models.Manifest{Name: "punct", Languages: []string{"en"},
		Kind:  models.Punctuation,
		Files: []models.File{}})
	if in.Needless() {
		t.Error("needless beside German and punctuation")
	}
	recognizerstest.InstallMoonshine(t, c.ModelsFolder())
	if !in.Needless() {
		t.Error("needed beside a model for English")
	}
	for name, change := range map[string]func(*Setup){
		"engine":   func(c *Setup) { c.Engine = "sphinx" },
		"a plan":   func(c *Setup) { c.Models.STT1.Engines = []string{"moonshine", "sphinx"} },
		"a fusion": func(c *Setup) { c.Models.STTFusion.Engines = []string{"moonshine", "sphinx"} },
		"partials": func(c *Setup) {
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
	if got := c.modelsFor(moonshineModels); got != c.ModelsFolder() {
		t.Errorf("nothing anywhere: %s", got)
	}
	recognizerstest.InstallMoonshine(t, store)
	if got := c.modelsFor(moonshineModels); got != store || !c.standIn("sphinx").Needless() {
		t.Errorf("shared: %s, PocketSphinx needed %v", got, !c.standIn("sphinx").Needless())
	}
	if got := c.modelsFor(sherpaModels); got != c.ModelsFolder() {
		t.Errorf("another kind: %s", got)
	}
	if got := c.Served(); !slices.Equal(got, []string{"tiny (licence: MIT)"}) {
		t.Errorf("served: %q", got)
	}
	configured := c
	configured.Engines.Models = t.TempDir()
	if got := configured.modelsFor(moonshineModels); got != configured.Engines.Models {
		t.Errorf("another folder is configured: %s", got)
	}
	recognizerstest.InstallMoonshine(t, c.ModelsFolder())
	if got := c.modelsFor(moonshineModels); got != c.ModelsFolder() {
		t.Errorf("installed too: %s", got)
	}
}

// What serves without a model, and the command that changes it, are in the log's first lines.
func TestWithoutAModel(t *testing.T) {
	c := setupIn(t)
	if text := c.NoModel("bin/steno"); !strings.Contains(text, "PocketSphinx serves") ||
		!strings.Contains(text, "\n    bin/steno models pull moonshine-tiny-en --models ") {
		t.Errorf("%q", text)
	}
}

package recognizers

import (
	"slices"
	"testing"

	"steno/cmd/cmdtest"
	"steno/cmd/steno/config"
)

// The models that clients see are right as soon as their engine is ready, though it was away when
// it was last asked.
func TestModelsOnceAnEngineIsThere(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and starts the engine")
	}
	binary := cmdtest.Build(t, "steno-engine")
	c, err := config.Load("", nil)
	if err != nil {
		t.Fatal(err)
	}
	c.Engine, c.Data, c.Engines.Binary = "scripted", t.TempDir(), binary
	setup := Setup{Config: c}
	set, err := setup.Start(t.Context(), SilentObserver())
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	_ = set.Ready("stt-1") // most likely it is not: the engine is asked while it starts
	if err := set.Wait(t.Context(), "stt-1"); err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, m := range setup.APIModels(set).Models(t.Context()) {
		names = append(names, m.Model)
		if len(m.Languages) == 0 || len(m.Engines) != 1 || !m.Engines[0].Available || !m.Engines[0].Local {
			t.Errorf("%+v", m)
		}
	}
	if !slices.Equal(names, []string{"stt-1", "stt-3", "stt-fusion"}) {
		t.Errorf("models %q", names)
	}
	if err := set.Ready("stt-1"); err != nil {
		t.Errorf("models are there, but: %v", err)
	}
}

// stt-fusion is there without configuration: with the engines of stt-1, or the one that is named
// for it.
func TestFusionPlan(t *testing.T) {
	for name, tc := range map[string]struct{ models, want config.Models }{
		"default": {config.Models{}, config.Models{STT1: config.Plan{Engines: []string{"sherpa", "moonshine",
			"sphinx"}}}},
		"as stt-1": {config.Models{STT1: config.Plan{Engines: []string{"scripted"}, DefaultLanguage: "de"}},
			config.Models{STT1: config.Plan{Engines: []string{"scripted"}, DefaultLanguage: "de"}}},
		"one": {config.Models{STTFusion: config.Fusion{Engines: []string{"sphinx"}}},
			config.Models{STT1: config.Plan{Engines: []string{"sphinx"}}}},
		"two, vote": {config.Models{STTFusion: config.Fusion{Engines: []string{"sphinx", "sherpa"}}},
			config.Models{STT1: config.Plan{Engines: []string{fusionName}}}},
	} {
		c, err := config.Load("", nil)
		if err != nil {
			t.Fatal(err)
		}
		c.Models = tc.models
		if err := c.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		got := (Setup{Config: c}).plans()["stt-fusion"]
		if want := tc.want.STT1; !slices.Equal(got.Engines, want.Engines) || got.Default != want.DefaultLanguage {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}

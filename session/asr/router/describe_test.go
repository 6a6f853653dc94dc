package router_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"steno/session/asr"
	"steno/session/asr/router"
)

func TestDescribe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		models := []asr.Model{{Name: "x", Languages: []string{"fr", "en", "de"}, Detects: true, Partials: true}}
		a := &listingEngine{fake: newFake("a"), models: models}
		b, c := &identifyingEngine{fake: newFake("b")}, newFake("c")
		r := build(t, router.Config{
			Engines:   []router.Engine{engine(c), engine(b, "sv"), engine(a, "fr", "en")},
			Languages: []string{"de", "en", "fr", "ja", "sv"},
			Plans: map[string]router.Plan{
				"m": {Engines: []string{"a", "b"}},
				"n": {Engines: []string{"c"}, Only: []string{"ja", "en"}},
			},
		})
		want := []router.EngineState{
			{Name: "a", Models: models, Available: true, Languages: []string{"en", "fr"}, Detects: true},
			{Name: "b", Available: true, Languages: []string{"sv"}, Detects: true},
		}
		if got := r.Describe(t.Context(), "m"); !reflect.DeepEqual(got, want) {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
		want = []router.EngineState{{Name: "c", Available: true, Languages: []string{"en", "ja"}}}
		if got := r.Describe(t.Context(), "n"); !reflect.DeepEqual(got, want) {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
		if !r.Detects(t.Context(), "m") || !r.Detects(t.Context(), "n") || r.Detects(t.Context(), "o") {
			t.Error("wrong about what is detected")
		}
		if r.Describe(t.Context(), "o") != nil || r.Languages(t.Context(), "o") != nil {
			t.Error("a model without a plan has something")
		}
	})
}

// TestLanguagesOutliveAnEngineAway keeps an engine's languages for a minute, and its place for
// good.
func TestLanguagesOutliveAnEngineAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &listingEngine{fake: newFake("a"), models: []asr.Model{{Name: "x", Languages: []string{"en"}}}}
		r := routerOf(t, engine(a), engine(newFake("b"), "fr"))
		languages := func(after time.Duration, want ...string) {
			t.Helper()
			time.Sleep(after)
			r.Languages(t.Context(), "m") // has what is away asked
			synctest.Wait()
			if got := r.Languages(t.Context(), "m"); !slices.Equal(got, want) {
				t.Errorf("languages %q, want %q", got, want)
			}
		}
		languages(0, "en", "fr")
		a.set(func() { a.mute = errGone })
		languages(10*time.Second, "en", "fr")
		if got := r.Describe(t.Context(), "m"); got[0].Available || len(got[0].Models) != 1 {
			t.Errorf("described as %+v", got[0])
		}
		languages(2*time.Minute, "fr")
		if got := decode(t, r, asr.Params{Language: "en"}, noise(1600, 1)); got.Engine != "a" || got.Fallback {
			t.Errorf("%q, stood in %v", got.Engine, got.Fallback)
		}
		if got := decode(t, r, asr.Params{}, noise(1600, 1)); got.Language != "fr" || !got.Fallback {
			t.Errorf("chosen among fewer: %q, stood in %v", got.Language, got.Fallback)
		}
		a.set(func() { a.mute = nil })
		languages(10*time.Second, "en", "fr")
	})
}

// TestAvailableFollowsTheUtterances expects refused utterances to count more than an earlier list
// of models.
func TestAvailableFollowsTheUtterances(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &listingEngine{fake: newFake("a"), models: []asr.Model{{Name: "x", Languages: []string{"en"}}}}
		r := routerOf(t, engine(a), engine(newFake("b")))
		available := func() bool { return r.Describe(t.Context(), "m")[0].Available }
		if !available() {
			t.Error("not there at first")
		}
		time.Sleep(time.Second)
		a.set(func() { a.away = errGone })
		refused(t, r, asr.Params{Language: "en"}, asr.ErrUnavailable)
		if available() {
			t.Error("there after a refusal")
		}
		time.Sleep(5 * time.Second)
		if !available() {
			t.Error("away though it told its models since")
		}
	})
}

// silentEngine is an engine that lists its models late, whatever else it is asked meanwhile.
type silentEngine struct{ *fake }

func (silentEngine) Models(context.Context) ([]asr.Model, error) {
	time.Sleep(3 * time.Second)
	return nil, nil
}

// TestCloseWaits for what was asked.
func TestCloseWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := build(t, router.Config{Engines: []router.Engine{{Name: "a", Recognizer: silentEngine{newFake("a")}}}})
		began := time.Now()
		if err := r.Close(); err != nil || time.Since(began) < 3*time.Second {
			t.Errorf("closed after %v: %v", time.Since(began), err)
		}
	})
}

// TestMuteEngine has an engine that lists no models: it is present, and has the languages of its
// configuration.
func TestMuteEngine(t *testing.T) {
	a := &listingEngine{fake: newFake("a"), mute: errors.New("unimplemented")}
	r := build(t, router.Config{
		Engines: []router.Engine{engine(a)}, Plans: map[string]router.Plan{"m": {Engines: []string{"a"}}},
		Languages: []string{"en", "fr"},
	})
	if got := r.Languages(t.Context(), "m"); !slices.Equal(got, []string{"en", "fr"}) {
		t.Errorf("languages %q", got)
	}
	if got := decode(t, r, asr.Params{}, noise(1600, 1)); got.Language != "en" {
		t.Errorf("language %q", got.Language)
	}
}

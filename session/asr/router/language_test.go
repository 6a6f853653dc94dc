package router_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"steno/session/asr"
	"steno/session/asr/router"
)

// TestFixed takes languages to engines.
func TestFixed(t *testing.T) {
	a := &listingEngine{fake: newFake("a"), models: []asr.Model{{Name: "x", Languages: []string{"en", "fr", "de"}}}}
	b, c := newFake("b"), newFake("c")
	config := router.Config{
		Engines: []router.Engine{engine(a, "en", "fr", "it"), engine(b), engine(c, "fr", "es")},
		Plans: map[string]router.Plan{
			"m": {Engines: []string{"a", "c"}, ByLanguage: map[string][]string{"es": {"b"}, "fr": {"c", "a"}}},
			"n": {Engines: []string{"b"}, Only: []string{"haw"}},
		},
	}
	r := build(t, config)
	for _, c := range []struct{ model, language, want string }{
		{"m", "en", "a"},
		{"m", "fr", "c"}, // by language
		{"m", "es", "b"}, // not c, which has it too
		{"m", "de", ""},  // a has it, but not for this
		{"m", "it", ""},  // a might, but does not
		{"m", "haw", ""}, // only b has it, which is for es alone
		{"n", "haw", "b"},
		{"n", "en", ""},
	} {
		result, err := attempt(t.Context(), r.For(c.model), asr.Params{Language: c.language}, noise(1600, 1), 1600)
		if got := result.Engine; got != c.want || (err != nil) != (c.want == "") || result.Fallback {
			t.Errorf("%s, %s: %q, stood in %v, %v; want %q", c.model, c.language, got, result.Fallback, err, c.want)
		}
	}
}

// TestUnknownLanguage checks the language of utterances of unknown language where none can be
// detected.
func TestUnknownLanguage(t *testing.T) {
	for _, c := range []struct {
		name      string
		languages []string // of engine a; b has fr and it
		standard  string
		among     []string
		want      string // "": refused
	}{
		{"default", []string{"en", "fr"}, "fr", nil, "fr"},
		{"english", []string{"de", "en"}, "", nil, "en"},
		{"first", []string{"sv", "de"}, "", nil, "de"},
		{"default not to be had", []string{"sv", "en"}, "ja", nil, "en"},
		{"first of several", []string{"en", "de"}, "de", []string{"ja", "it", "en"}, "it"},
		{"one of several", []string{"en"}, "", []string{"ja", "fr", "fr"}, "fr"},
		{"none of several", []string{"en"}, "", []string{"ja"}, ""},
		{"anything", nil, "", []string{"ja", "en"}, "ja"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, b := newFake("a"), newFake("b")
			r := build(t, router.Config{
				Engines: []router.Engine{engine(a, c.languages...), engine(b, "fr", "it")},
				Plans:   map[string]router.Plan{"m": {Engines: []string{"a", "b"}, Default: c.standard}},
			})
			p := asr.Params{Languages: c.among}
			if c.want == "" {
				refused(t, r, p, asr.ErrLanguage)
			} else if got := decode(t, r, p, noise(1600, 1)); got.Language != c.want || got.Fallback {
				t.Errorf("language %q, stood in %v; want %q", got.Language, got.Fallback, c.want)
			}
		})
	}
	t.Run("takes everything, tells nothing", func(t *testing.T) {
		if got := decode(t, routerOf(t, engine(newFake("a"))), asr.Params{}, noise(1600, 1)); got.Language != "en" {
			t.Errorf("language %q", got.Language)
		}
	})
}

// TestDetectorsDecode prefers an engine that detects all candidates itself.
func TestDetectorsDecode(t *testing.T) {
	a := &listingEngine{fake: newFake("a"), models: []asr.Model{{Name: "x", Languages: []string{"en", "fr"}}}}
	b := &listingEngine{fake: newFake("b"), models: []asr.Model{
		{Name: "some", Languages: []string{"en", "de"}, Detects: true}, {Name: "y", Languages: []string{"fr"}},
	}}
	c := &listingEngine{fake: newFake("c"), models: []asr.Model{{Name: "all", Languages: []string{"en", "fr", "de"},
		Detects: true}}}
	c.wordy = false
	r := build(t, router.Config{
		Engines: []router.Engine{engine(a), engine(b), engine(c)},
		Plans: map[string]router.Plan{"m": {Engines: []string{"a", "b", "c"},
			ByLanguage: map[string][]string{"de": {"c"}}}},
	})
	for _, test := range []struct {
		among []string
		want  string
	}{
		{[]string{"en", "fr"}, "c"},
		{[]string{"en", "de"}, "c"}, // b tells them apart, but is not the plan's for one of them
		{[]string{"en"}, "a"},
		{nil, "c"},
	} {
		got := decode(t, r, asr.Params{Languages: test.among}, noise(1600, 1))
		if got.Engine != test.want || got.Language != "en" || got.Fallback {
			t.Errorf("%q: %q in %q, stood in %v; want %q", test.among, got.Engine, got.Language, got.Fallback,
				test.want)
		}
	}
	if p := c.last(); p.Language != "" || !slices.Equal(p.Languages, []string{"de", "en", "fr"}) {
		t.Errorf("told %+v", p)
	}
}

// TestDetectorAway falls back to the likeliest language, not before the patience has passed.
func TestDetectorAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &listingEngine{fake: newFake("a"), models: []asr.Model{{Name: "x", Languages: []string{"en", "fr"},
			Detects: true}}}
		b := newFake("b")
		a.away = errGone
		r := routerOf(t, engine(a), engine(b, "fr"))
		p := asr.Params{Languages: []string{"fr", "en"}}
		refused(t, r, p, asr.ErrUnavailable)
		time.Sleep(time.Second)
		if got := decode(t, r, p, noise(1600, 1)); got.Engine != "b" || got.Language != "fr" || !got.Fallback {
			t.Errorf("%q in %q, stood in %v", got.Engine, got.Language, got.Fallback)
		}
		a.set(func() { a.away = nil })
		time.Sleep(5 * time.Second)
		if got := decode(t, r, p, noise(1600, 1)); got.Engine != "a" || got.Fallback {
			t.Errorf("back: %q, stood in %v", got.Engine, got.Fallback)
		}
		p.Attempt = 3
		if got := decode(t, r, p, noise(1600, 1)); got.Language != "fr" || !got.Fallback {
			t.Errorf("lost three times: %q in %q, stood in %v", got.Engine, got.Language, got.Fallback)
		}
	})
}

// TestDetectorRefuses has a detector refuse a language that it listed: then no language is
// detected.
func TestDetectorRefuses(t *testing.T) {
	a := &listingEngine{fake: newFake("a"), models: []asr.Model{{Name: "x", Languages: []string{"en", "fr"},
		Detects: true}}}
	a.away = asr.ErrLanguage
	r := routerOf(t, engine(a), engine(newFake("b"), "en"))
	if got := decode(t, r, asr.Params{}, noise(1600, 1)); got.Engine != "b" || got.Language != "en" || got.Fallback {
		t.Errorf("%q in %q, stood in %v", got.Engine, got.Language, got.Fallback)
	}
}

// TestOnlyDetector passes everything through but for the language it keeps to itself.
func TestOnlyDetector(t *testing.T) {
	a := &listingEngine{fake: newFake("a"), models: []asr.Model{{Name: "x", Languages: []string{"en", "fr"},
		Detects: true}}}
	a.wordy = false
	r := routerOf(t, engine(a))
	if got := decode(t, r, asr.Params{Attempt: 7}, noise(1600, 1)); got.Language != "en" || got.Fallback {
		t.Errorf("language %q, stood in %v", got.Language, got.Fallback)
	}
	if p := a.last(); p.Language != "" || !slices.Equal(p.Languages, []string{"en", "fr"}) {
		t.Errorf("told %+v", p)
	}
	for _, away := range []error{errGone, asr.ErrLanguage} {
		a.set(func() { a.away = away })
		refused(t, r, asr.Params{}, away)
	}
	if a.times() != 3 {
		t.Errorf("asked %d times", a.times())
	}
}

// TestListsAwaited does not decide on a language before the engines have listed their models, for a
// while.
func TestListsAwaited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &listingEngine{fake: newFake("a"), models: []asr.Model{{Name: "x", Languages: []string{"en", "fr"},
			Detects: true}}}
		a.mute = errGone
		r := routerOf(t, engine(a), engine(newFake("b"), "fr"))
		refused(t, r, asr.Params{}, asr.ErrUnavailable)
		a.set(func() { a.mute = nil })
		time.Sleep(300 * time.Millisecond)
		r.Languages(t.Context(), "m") // has it ask
		synctest.Wait()
		if got := decode(t, r, asr.Params{}, noise(1600, 1)); got.Engine != "a" {
			t.Errorf("engine %q", got.Engine)
		}
	})
}

// TestRefusalsEndWithTheModels asks an engine again that has other models than when it refused.
func TestRefusalsEndWithTheModels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &listingEngine{fake: newFake("a"), models: []asr.Model{{Name: "x", Languages: []string{"fr"}}}}
		r := routerOf(t, engine(a), engine(newFake("b"), "fr"))
		p := asr.Params{Language: "fr"}
		a.away = asr.ErrLanguage
		if got := decode(t, r, p, noise(1600, 1)); got.Engine != "b" {
			t.Errorf("engine %q", got.Engine)
		}
		a.set(func() { a.away, a.models = nil, []asr.Model{{Name: "y", Languages: []string{"fr", "en"}}} })
		time.Sleep(5 * time.Second)
		r.Languages(t.Context(), "m") // has it ask
		if got := decode(t, r, p, noise(1600, 1)); got.Engine != "a" {
			t.Errorf("engine %q", got.Engine)
		}
	})
}

// TestNewModelsAreFound has an engine get a language while it runs, after it refused it.
func TestNewModelsAreFound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &listingEngine{fake: newFake("a"), models: []asr.Model{{Name: "x", Languages: []string{"en"}}}}
		r := routerOf(t, engine(a))
		p := asr.Params{Language: "fr"}
		refused(t, r, p, asr.ErrLanguage)
		a.set(func() { a.models = append(a.models, asr.Model{Name: "y", Languages: []string{"fr"}}) })
		time.Sleep(5 * time.Second)
		r.Languages(t.Context(), "m") // has it ask
		synctest.Wait()
		if got := decode(t, r, p, noise(1600, 1)); got.Language != "fr" {
			t.Errorf("language %q", got.Language)
		}
	})
}

// TestTheBestModelDetects expects a model that detects to decode alone only if no other is
// preferred for one of the languages, provided that they can be identified beforehand.
func TestTheBestModelDetects(t *testing.T) {
	small := asr.Model{Name: "small", Languages: []string{"en", "fr"}, Detects: true}
	for name, test := range map[string]struct {
		models []asr.Model
		told   bool
	}{
		"another is better":        {[]asr.Model{{Name: "good", Languages: []string{"fr"}}, small}, true},
		"the detecting one is":     {[]asr.Model{small, {Name: "good", Languages: []string{"fr"}}}, false},
		"there is no other for it": {[]asr.Model{{Name: "other", Languages: []string{"de"}}, small}, false},
	} {
		a := &listingEngine{fake: newFake("a"), models: test.models}
		identifier := &identifyingEngine{fake: newFake("i")}
		r := build(t, router.Config{
			Engines: []router.Engine{engine(a), engine(identifier, "sv")},
			Plans:   map[string]router.Plan{"m": {Engines: []string{"a"}}},
		})
		got := decode(t, r, asr.Params{Languages: []string{"en", "fr"}}, noise(1600, 1))
		p := a.last()
		if told := p.Language != ""; told != test.told || got.Engine != "a" {
			t.Errorf("%s: told %+v, decoded by %q", name, p, got.Engine)
		}
	}
}

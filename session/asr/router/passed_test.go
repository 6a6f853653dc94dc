package router_test

import (
	"errors"
	"testing"

	"steno/session/asr"
	"steno/session/asr/router"
)

// final opens an utterance of noise and receives its final; the error may come from either.
func final(t *testing.T, r asr.Recognizer, p asr.Params) (asr.Result, error) {
	t.Helper()
	u, err := r.Open(t.Context(), p)
	if err != nil {
		return asr.Result{}, err
	}
	if err := errors.Join(u.Write(noise(asr.Rate, 1)), u.End()); err != nil {
		t.Fatal(err)
	}
	for {
		if r, err := u.Recv(); err != nil || r.Final {
			return r, err
		}
	}
}

// Engines that are passed over are the preferred ones; those after them are fallbacks, and beyond
// the last there is none.
func TestPassedEngines(t *testing.T) {
	plan := router.Plan{Engines: []string{"a", "b", "c"}}
	known := build(t, router.Config{
		Engines: []router.Engine{engine(newFake("a"), "en"), engine(newFake("b"), "fr"), engine(newFake("c"), "en",
			"fr")},
		Plans: map[string]router.Plan{"m": plan},
	}).For("m")
	all := asr.Model{Name: "all", Languages: []string{"en", "fr"}, Detects: true}
	detecting := build(t, router.Config{
		Engines: []router.Engine{
			engine(&listingEngine{fake: newFake("a"), models: []asr.Model{all}}), engine(newFake("b"), "fr"),
			engine(&listingEngine{fake: newFake("c"), models: []asr.Model{all}}),
		},
		Plans: map[string]router.Plan{"m": plan},
	}).For("m")
	for _, c := range []struct {
		name     string
		r        asr.Recognizer
		language string
		want     []string
	}{
		{"known language", known, "en", []string{"a", "c"}},
		{"another", known, "fr", []string{"b", "c"}},
		{"detected", detecting, "", []string{"a", "c"}},
	} {
		for passed, want := range c.want {
			r, err := final(t, c.r, asr.Params{Language: c.language, Passed: passed})
			if err != nil || r.Engine != want || r.Fallback != (passed > 0) {
				t.Errorf("%s, %d passed: %q, fallback %v, %v; want %q", c.name, passed, r.Engine, r.Fallback, err, want)
			}
		}
		if _, err := final(t, c.r, asr.Params{Language: c.language, Passed: len(c.want)}); !errors.Is(err,
			asr.ErrNoOther) {
			t.Errorf("%s, all passed: %v", c.name, err)
		}
	}
}

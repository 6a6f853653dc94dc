package router_test

import (
	"context"
	"testing"

	"steno/session/asr"
	"steno/session/asr/router"
	"steno/session/asr/scripted"
)

// unlisted is an engine that has not answered what models it has.
type unlisted struct{ *fake }

func (unlisted) Models(context.Context) ([]asr.Model, error) { return nil, asr.ErrUnavailable }

// Context is of use where an engine of the plan has a model for one of the languages that uses it,
// or may turn out to have one.
func TestTakesContext(t *testing.T) {
	lists := func(name string, models ...asr.Model) asr.Recognizer {
		return &listingEngine{fake: newFake(name), models: models}
	}
	english := asr.Model{Name: "english", Languages: []string{"en"}, Context: true}
	every := asr.Model{Name: "every", Languages: []string{"en", "de"}}
	for name, c := range map[string]struct {
		engines []asr.Recognizer
		want    map[string]bool // by language; "": any
	}{
		"none": {[]asr.Recognizer{lists("a", every)}, map[string]bool{"": false, "en": false, "de": false}},
		"one of two": {[]asr.Recognizer{lists("a", every), lists("b", english)}, map[string]bool{"": true, "en": true,
			"de": false, "fr": false}},
		"not listed": {[]asr.Recognizer{lists("a", every), unlisted{newFake("b")}}, map[string]bool{"": true,
			"fr": true}},
		"no lister": {[]asr.Recognizer{lists("a", every), newFake("b")}, map[string]bool{"": true, "fr": true}},
		"scripted":  {[]asr.Recognizer{scripted.New(scripted.Config{})}, map[string]bool{"": false, "en": false}},
	} {
		var config router.Config
		var plan router.Plan
		for i, r := range c.engines {
			name := string(rune('a' + i))
			config.Engines = append(config.Engines, router.Engine{Name: name, Recognizer: r})
			plan.Engines = append(plan.Engines, name)
		}
		config.Plans = map[string]router.Plan{"m": plan}
		r := build(t, config)
		r.Describe(t.Context(), "m") // the engines have answered
		for code, want := range c.want {
			var languages []string
			if code != "" {
				languages = []string{code}
			}
			if got := asr.TakesContext(r.For("m"), languages); got != want {
				t.Errorf("%s: %q: %v, want %v", name, code, got, want)
			}
		}
	}
}

package router_test

import (
	"strings"
	"testing"

	"steno/session/asr/router"
)

func TestFaultsAreNamed(t *testing.T) {
	a := engine(newFake("a"))
	plan := func(p router.Plan) router.Config {
		return router.Config{
			Engines: []router.Engine{a}, Plans: map[string]router.Plan{"stt-1": p}, Languages: []string{"en", "fr"},
		}
	}
	one := []string{"a"}
	for want, c := range map[string]router.Config{
		`engines[1]: no name`:                    {Engines: []router.Engine{a, {}}},
		`engine "a": there are two of that name`: {Engines: []router.Engine{a, a}},
		`engine "b": no recognizer`:              {Engines: []router.Engine{{Name: "b"}}},
		`engine "a": languages: there is no language ""`: {Engines: []router.Engine{engine(newFake("a"),
			"")}},
		`model "stt-1": no engines`:                                plan(router.Plan{}),
		`model "stt-1": engines: there is no engine "b"`:           plan(router.Plan{Engines: []string{"a", "b"}}),
		`model "stt-1": engines: engine "a" is named twice`:        plan(router.Plan{Engines: []string{"a", "a"}}),
		`model "stt-1": by language: "fr": there is no engine "c"`: plan(router.Plan{ByLanguage: map[string][]string{"fr": {"c"}}}),
		`model "stt-1": by language: "fr": no engines`:             plan(router.Plan{ByLanguage: map[string][]string{"fr": nil}}),
		`model "stt-1": by language: there is no language "tlh"`:   plan(router.Plan{ByLanguage: map[string][]string{"tlh": one}}),
		`model "stt-1": languages: there is no language "tlh"`: plan(router.Plan{Engines: one,
			Only: []string{"tlh"}}),
		`model "stt-1": default: there is no language "tlh"`: plan(router.Plan{Engines: one, Default: "tlh"}),
		`model "stt-1": default: "en" is not among its languages`: plan(router.Plan{Engines: one, Default: "en",
			Only: []string{"fr"}}),
	} {
		if _, err := router.New(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

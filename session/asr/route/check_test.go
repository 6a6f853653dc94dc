package route_test

import (
	"strings"
	"testing"

	"steno/session/asr/route"
)

func TestFaultsAreNamed(t *testing.T) {
	a := engine(newFake("a"))
	plan := func(p route.Plan) route.Config {
		return route.Config{
			Engines: []route.Engine{a}, Plans: map[string]route.Plan{"stt-1": p}, Languages: []string{"en", "fr"},
		}
	}
	one := []string{"a"}
	for want, c := range map[string]route.Config{
		`engines[1]: no name`:                                      {Engines: []route.Engine{a, {}}},
		`engine "a": there are two of that name`:                   {Engines: []route.Engine{a, a}},
		`engine "b": no recognizer`:                                {Engines: []route.Engine{{Name: "b"}}},
		`engine "a": languages: there is no language ""`:           {Engines: []route.Engine{engine(newFake("a"), "")}},
		`model "stt-1": no engines`:                                plan(route.Plan{}),
		`model "stt-1": engines: there is no engine "b"`:           plan(route.Plan{Engines: []string{"a", "b"}}),
		`model "stt-1": engines: engine "a" is named twice`:        plan(route.Plan{Engines: []string{"a", "a"}}),
		`model "stt-1": by language: "fr": there is no engine "c"`: plan(route.Plan{ByLanguage: map[string][]string{"fr": {"c"}}}),
		`model "stt-1": by language: "fr": no engines`:             plan(route.Plan{ByLanguage: map[string][]string{"fr": nil}}),
		`model "stt-1": by language: there is no language "tlh"`:   plan(route.Plan{ByLanguage: map[string][]string{"tlh": one}}),
		`model "stt-1": languages: there is no language "tlh"`:     plan(route.Plan{Engines: one, Only: []string{"tlh"}}),
		`model "stt-1": default: there is no language "tlh"`:       plan(route.Plan{Engines: one, Default: "tlh"}),
		`model "stt-1": default: "en" is not among its languages`:  plan(route.Plan{Engines: one, Default: "en", Only: []string{"fr"}}),
	} {
		if _, err := route.New(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

package route_test

import (
	"testing"

	"go.uber.org/goleak"

	"steno/session/asr"
	"steno/session/asr/asrtest"
	"steno/session/asr/route"
	"steno/session/asr/scripted"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestSuite holds what a session is given to the contract: passed through, marked, and held for identification.
func TestSuite(t *testing.T) {
	plain := route.Engine{Name: "plain", Recognizer: scripted.New(scripted.Config{})}
	for name, engines := range map[string]func() []route.Engine{
		"one engine": func() []route.Engine {
			plain.Languages = []string{"en"}
			return []route.Engine{plain}
		},
		"two engines": func() []route.Engine {
			return []route.Engine{engine(newFake("a"), "en"), engine(newFake("b"), "en")}
		},
		"second of two": func() []route.Engine {
			gone := newFake("a")
			gone.away = errBroken
			return []route.Engine{engine(gone, "en"), engine(newFake("b"), "en")}
		},
		"identified": func() []route.Engine {
			return []route.Engine{engine(&identifies{fake: newFake("a")}, "en", "fr", "de")}
		},
		"detected": func() []route.Engine {
			return []route.Engine{engine(&lists{fake: newFake("a"), models: []asr.Model{
				{Name: "all", Languages: []string{"en", "fr"}, Detects: true},
			}}), engine(newFake("b"), "fr")}
		},
	} {
		t.Run(name, func(t *testing.T) {
			open := func(t *testing.T) asr.Recognizer {
				var plan route.Plan
				given := engines()
				for _, e := range given {
					plan.Engines = append(plan.Engines, e.Name)
				}
				r := build(t, route.Config{Engines: given, Plans: map[string]route.Plan{"m": plan}, Patience: 1, ReplayPatience: 1})
				return r.For("m")
			}
			asrtest.Run(t, open, noise(2*asr.Rate, 1), noise(5*asr.Rate, 77), noise(700, 5))
		})
	}
}

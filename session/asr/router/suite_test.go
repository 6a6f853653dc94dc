package router_test

import (
	"testing"

	"go.uber.org/goleak"

	"steno/session/asr"
	"steno/session/asr/asrtest"
	"steno/session/asr/router"
	"steno/session/asr/scripted"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestSuite runs the suite on the streams that sessions get: an engine's own, those with fallbacks,
// and pending ones.
func TestSuite(t *testing.T) {
	plain := router.Engine{Name: "plain", Recognizer: scripted.New(scripted.Config{})}
	for name, engines := range map[string]func() []router.Engine{
		"one engine": func() []router.Engine {
			plain.Languages = []string{"en"}
			return []router.Engine{plain}
		},
		"two engines": func() []router.Engine {
			return []router.Engine{engine(newFake("a"), "en"), engine(newFake("b"), "en")}
		},
		"second of two": func() []router.Engine {
			gone := newFake("a")
			gone.away = errBroken
			return []router.Engine{engine(gone, "en"), engine(newFake("b"), "en")}
		},
		"identified": func() []router.Engine {
			return []router.Engine{engine(&identifyingEngine{fake: newFake("a")}, "en", "fr", "de")}
		},
		"detected": func() []router.Engine {
			return []router.Engine{engine(&listingEngine{fake: newFake("a"), models: []asr.Model{
				{Name: "all", Languages: []string{"en", "fr"}, Detects: true},
			}}), engine(newFake("b"), "fr")}
		},
	} {
		t.Run(name, func(t *testing.T) {
			open := func(t *testing.T) asr.Recognizer {
				var plan router.Plan
				given := engines()
				for _, e := range given {
					plan.Engines = append(plan.Engines, e.Name)
				}
				r := build(t, router.Config{Engines: given, Plans: map[string]router.Plan{"m": plan}, Patience: 1,
					ReplayPatience: 1})
				return r.For("m")
			}
			asrtest.Run(t, open, noise(2*asr.Rate, 1), noise(5*asr.Rate, 77), noise(700, 5))
		})
	}
}

package router_test

import (
	"testing"

	"steno/session/asr"
	"steno/session/asr/router"
	"steno/session/asr/scripted"
)

// BenchmarkOpen is what routing adds to the opening of an utterance.
func BenchmarkOpen(b *testing.B) {
	plain := scripted.New(scripted.Config{})
	engines := []router.Engine{{Name: "a", Recognizer: plain}, {Name: "b", Recognizer: plain}}
	r, err := router.New(router.Config{Engines: engines, Plans: map[string]router.Plan{
		"one": {Engines: []string{"a"}}, "two": {Engines: []string{"a", "b"}},
	}})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = r.Close() })
	for name, recognizer := range map[string]asr.Recognizer{"direct": plain, "one": r.For("one"), "two": r.For("two")} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := recognizer.Open(b.Context(), asr.Params{Language: "en"}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

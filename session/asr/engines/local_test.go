package engines

import (
	"testing"

	"steno/session/asr/local"
	"steno/session/asr/openai"
)

func TestIsLocal(t *testing.T) {
	s := &Set{config: Config{
		Engines: []Engine{
			{Name: "here", Local: &local.Config{}}, {Name: "away", OpenAI: &openai.Config{}},
			{Name: "both", Local: &local.Config{}, Partials: "away"}, {Name: "pair", Local: &local.Config{},
				Partials: "here"},
		},
		Fusion: Fusion{Name: "votes", Members: []string{"here", "away"}},
	}}
	for name, want := range map[string]bool{"here": true, "away": false, "both": false, "pair": true, "votes": false,
		"unknown": false} {
		if got := s.IsLocal(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
	s.config.Fusion.Members = []string{"here", "pair"}
	if !s.IsLocal("votes") {
		t.Error("members that are here vote elsewhere")
	}
}

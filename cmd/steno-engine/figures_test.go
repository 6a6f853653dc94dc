package main

import (
	"testing"
	"time"

	"steno/session/asr/sherpa"
	"steno/session/asr/sphinx"
	"steno/session/asr/twopass"
)

func TestFiguresAreNamed(t *testing.T) {
	sphinxes := sphinxFigures(sphinx.Stats{
		Finals: sphinx.Work{Count: 3}, Dropped: map[sphinx.Drop]int{sphinx.DropLate: 2},
		Vocabularies: sphinx.VocabularyLoads{Count: 5, Time: 250 * time.Millisecond},
	})
	sherpas := sherpaFigures(sherpa.Figures{Open: 4, Dropped: map[twopass.Drop]int64{twopass.DropBehind: 6}})
	for _, c := range []struct {
		figures map[string]float64
		name    string
		want    float64
	}{
		{sphinxes, "finals", 3}, {sphinxes, "dropped_late", 2}, {sphinxes, "vocabularies_loaded", 5},
		{sphinxes, "vocabulary_time", 0.25},
		{sherpas, "open", 4}, {sherpas, "dropped_behind", 6},
	} {
		if got, ok := c.figures[c.name]; !ok || got != c.want {
			t.Errorf("%s is %v, want %v", c.name, got, c.want)
		}
	}
}

package loadtest

import (
	"math"
	"strings"
	"testing"
	"time"
)

func TestCompareTellsWhatIsGone(t *testing.T) {
	full := withDelays(10, time.Second)
	full.Words, full.Capacity = &WordErrors{Rate: 0.1}, &Capacity{Sessions: 20}
	bare := withDelays(0, 0)
	bare.Capacity = &Capacity{Unknown: "the generator was too slow"}
	for _, tt := range []struct {
		name     string
		old, now *Report
		worse    bool
	}{{"gone", full, bare, true}, {"new", bare, full, false}} {
		found := map[string]Difference{}
		for _, d := range Compare(tt.old, tt.now, Tolerance{Share: 0.1}) {
			found[d.Name] = d
		}
		for _, name := range []string{"final", "wer", "capacity"} {
			d, ok := found[name]
			if !ok || d.Worse != tt.worse || d.Better || math.IsNaN(d.New) != tt.worse || math.IsNaN(d.Old) ==
				tt.worse {
				t.Errorf("%s, %s: %+v", tt.name, name, d)
			}
		}
	}
	if d := Compare(full, bare, Tolerance{}); d[0].Name != "final" || d[0].Old != 10 {
		t.Errorf("of ten finals and none: %+v", d[0])
	}
}

func TestDoubts(t *testing.T) {
	usual := func() *Report { return withDelays(10, time.Second) }
	for want, change := range map[string]func(*Report){
		"":                           func(*Report) {},
		"interrupted":                func(r *Report) { r.Interrupted = true },
		"it slept":                   func(r *Report) { r.Generator.Saturated = "it slept" },
		"sessions 10 and 20":         func(r *Report) { r.Sessions = 20 },
		"recording a and tone":       func(r *Report) { r.Load.First = "tone" },
		"duration 0s and 1m0s":       func(r *Report) { r.Load.Duration = 60 },
		"warm-up 0s and 5s":          func(r *Report) { r.Load.WarmUp = 5 },
		"endpointing 0s and 1.5s":    func(r *Report) { r.Load.Endpointing = 1.5 },
		"max-utterance 0s and 5s":    func(r *Report) { r.Load.MaxUtterance = 5 },
		"language  and de,en":        func(r *Report) { r.Load.Languages = []string{"de", "en"} },
		"no-partials false and true": func(r *Report) { r.Load.NoPartials = true },
	} {
		old, now := usual(), usual()
		old.Load.First, now.Load.First = "a", "a"
		change(now)
		if text := strings.Join(Doubts(old, now), "\n"); !strings.Contains(text, want) || (text == "") != (want == "") {
			t.Errorf("doubts %q, not %q", text, want)
		}
	}
	old, now := usual(), usual()
	old.Capacity, now.Capacity, now.Sessions = &Capacity{Sessions: 10}, &Capacity{Sessions: 20}, 20
	if all := Doubts(old, now); len(all) > 0 {
		t.Errorf("of two searches: %q", all)
	}
}

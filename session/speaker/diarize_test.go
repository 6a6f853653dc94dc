package speaker

import (
	"context"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func mustDiarize(t testing.TB, samples []int16, speech []Span, want Count) []Turn {
	t.Helper()
	turns, err := Diarize(t.Context(), samples, speech, want)
	if err != nil {
		t.Fatal(err)
	}
	return turns
}

func TestDiarizePeople(t *testing.T) {
	c := dialogue()
	right := func(name string, speech []Span, want Count) {
		turns := mustDiarize(t, c.samples, speech, want)
		e := score(c.truth, turns, rate/4)
		if confused := e.confused / e.speech; speakers(turns) != 3 || confused > 0.02 {
			t.Errorf("%s, %+v: %d speakers, %.1f %% confused", name, want, speakers(turns), 100*confused)
		}
	}
	right("all", []Span{{0, len(c.samples)}}, Count{})
	right("found", nil, Count{})
	c = exchange()
	for _, want := range []Count{{}, {Exactly: 3}, {Min: 3}, {Max: 3}, {Min: 2, Max: 4}} {
		right("true speech", c.speech(), want)
	}
}

func TestDiarizeOnePerson(t *testing.T) {
	for i, p := range []person{man, woman, child} {
		c := scene([]person{p}, line{0, 9}, line{0, 5}, line{0, 12})
		if turns := mustDiarize(t, c.samples, nil, Count{}); speakers(turns) != 1 {
			t.Errorf("person %d is %d speakers", i, speakers(turns))
		}
	}
}

func TestDiarizeCount(t *testing.T) {
	c := scene([]person{man, woman, child}, line{0, 3}, line{1, 2.5}, line{2, 3}, line{0, 2.5}, line{1, 3},
		line{2, 2.5},
		line{0, 2}, line{1, 2}, line{2, 2})
	for _, n := range []int{1, 3, 8} {
		if turns := mustDiarize(t, c.samples, c.speech(), Count{Exactly: n, Min: 5, Max: 2}); speakers(turns) != n {
			t.Errorf("exactly %d: %d", n, speakers(turns))
		}
		if turns := mustDiarize(t, c.samples, c.speech(), Count{Min: n}); speakers(turns) < n {
			t.Errorf("at least %d: %d", n, speakers(turns))
		}
		if turns := mustDiarize(t, c.samples, c.speech(), Count{Max: n}); speakers(turns) > n {
			t.Errorf("at most %d: %d", n, speakers(turns))
		}
	}
	c = dialogue()
	many := speakers(mustDiarize(t, c.samples, c.speech(), Count{Exactly: 1 << 40}))
	if many < 15 || many > MaxSpeakers {
		t.Errorf("as many as there can be: %d", many)
	}
}

func TestDiarizeSilence(t *testing.T) {
	for name, samples := range map[string][]int16{"none": nil, "too short": make([]int16, 300),
		"digital silence": make([]int16, 5*rate),
		"room":            quietFor(5, 1)} {
		if turns := mustDiarize(t, samples, nil, Count{Exactly: 2}); len(turns) > 0 {
			t.Errorf("%s: %v", name, turns)
		}
	}
	c := dialogue()
	if turns := mustDiarize(t, c.samples, []Span{}, Count{}); len(turns) > 0 {
		t.Errorf("without speech: %v", turns)
	}
	if turns := mustDiarize(t, make([]int16, 3*rate), []Span{{0, 3 * rate}}, Count{Exactly: 2}); speakers(turns) < 1 {
		t.Error("silence given as speech has no turn")
	}
}

func TestDiarizeCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Diarize(ctx, man.speech(3, 1), nil, Count{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// Whatever spans and numbers come in: the turns lie in order within the speech, cover it, and are
// numbered by first appearance; the same comes out again.
func TestDiarizeInvariants(t *testing.T) {
	samples := scene(people, line{0, 0.9}, line{1, 0.7}, line{2, 0.7}).samples[:5*rate/2]
	rapid.Check(t, func(r *rapid.T) {
		place := rapid.IntRange(-rate, 3*rate)
		var speech []Span
		for range rapid.IntRange(0, 8).Draw(r, "spans") {
			speech = append(speech, Span{place.Draw(r, "start"), place.Draw(r, "end")})
		}
		few := rapid.IntRange(-1, 6)
		want := Count{few.Draw(r, "exactly"), few.Draw(r, "min"), few.Draw(r, "max")}
		turns, err := Diarize(context.Background(), samples, speech, want)
		if err != nil {
			r.Fatal(err)
		}
		checkTurns(r, turns, len(samples))
		if _, most := want.bounds(); speakers(turns) > most {
			r.Fatalf("%d speakers, wanted %+v", speakers(turns), want)
		}
		if rapid.IntRange(0, 4).Draw(r, "again") == 0 {
			if again, _ := Diarize(context.Background(), samples, speech, want); !slices.Equal(turns, again) {
				r.Fatal("not the same again")
			}
		}
		covered := 0
		for _, u := range turns {
			covered += u.End - u.Start
		}
		for _, s := range mergeSpans(speech, len(samples)) {
			if framesWithin(s, len(samples)) > 0 {
				covered -= s.End - s.Start
			}
		}
		if speech != nil && covered != 0 {
			r.Fatalf("%d samples more than there is speech", covered)
		}
	})
}

func checkTurns(t interface{ Fatalf(string, ...any) }, turns []Turn, samples int) {
	next, last := 0, 0
	for _, u := range turns {
		if u.Start < last || u.End <= u.Start || u.End > samples {
			t.Fatalf("turn %+v after %d, of %d samples", u, last, samples)
		}
		if u.Speaker > next {
			t.Fatalf("speaker %d before %d", u.Speaker, next)
		}
		next, last = max(next, u.Speaker+1), u.End
	}
}

package router_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"steno/session/asr"
	"steno/session/asr/router"
)

// startingEngine is an engine that is away until it is started, and takes a second for every
// answer.
type startingEngine struct {
	*fake
	there bool
	told  int // answers
}

func (s *startingEngine) Models(context.Context) ([]asr.Model, error) {
	var there bool
	s.set(func() { there = s.there })
	time.Sleep(time.Second)
	s.set(func() { s.told++ })
	if !there {
		return nil, errGone
	}
	return []asr.Model{{Name: "x", Languages: []string{"en"}}}, nil
}

// TestArrival expects the first answer after an engine's arrival to be right, whether it was asked
// long ago or just now.
func TestArrival(t *testing.T) {
	for name, c := range map[string]struct {
		asking  bool // while it comes
		answers int
	}{"long ago": {false, 2}, "just now": {true, 3}} {
		synctest.Test(t, func(t *testing.T) {
			a := &startingEngine{fake: newFake("a")}
			r := routerOf(t, router.Engine{Name: "a", Recognizer: a})
			describe := func() router.EngineState { return r.Describe(t.Context(), "m")[0] }
			if got := describe(); got.Available {
				t.Errorf("%s: at first %+v", name, got)
			}
			time.Sleep(10 * time.Second)
			if c.asking {
				if got := describe(); got.Available { // begins to ask, and waits for nothing that is away
					t.Errorf("%s: later %+v", name, got)
				}
				time.Sleep(300 * time.Millisecond)
			}
			a.set(func() { a.there = true })
			r.Arrived("nobody")
			r.Arrived("a")
			got := describe()
			if codes := r.Languages(t.Context(), "m"); !got.Available || !slices.Equal(codes, []string{"en"}) ||
				a.told != c.answers {
				t.Errorf("%s: then %+v, languages %q, %d answers", name, got, codes, a.told)
			}
		})
	}
}

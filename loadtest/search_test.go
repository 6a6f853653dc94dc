package loadtest

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
)

// model is a server of which everything is known.
type model struct {
	carries   int     // sessions in a long trial
	noise     float64 // in short trials the capacity differs by this share, either way
	saturated int     // the generator is too slow from so many on; 0: never
	rand      *rand.Rand
	tried     map[string]int
}

func (m *model) try(_ context.Context, kind string, sessions int) (result, error) {
	m.tried[kind]++
	carries := float64(m.carries)
	if kind == trialDouble || kind == trialBisect {
		carries *= 1 + m.noise*(2*m.rand.Float64()-1)
	}
	switch {
	case float64(sessions) <= carries:
		return kept, nil
	case m.saturated > 0 && sessions >= m.saturated:
		return unclear, nil
	}
	return missed, nil
}

func find(t *testing.T, m *model, start, most int, resolution float64) (carried, limit int, sure bool) {
	t.Helper()
	m.tried, m.rand = map[string]int{}, rand.New(rand.NewPCG(uint64(m.carries), 1))
	s := &search{start: start, most: most, resolution: resolution, try: m.try}
	carried, limit, sure, err := s.run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return carried, limit, sure
}

func TestSearchFindsAnyCapacity(t *testing.T) {
	for _, noise := range []float64{0, 0.1} {
		for _, start := range []int{1, 4, 100} {
			for carries := 1; carries < 3000; carries += 1 + carries/7 {
				m := &model{carries: carries, noise: noise}
				got, limit, sure := find(t, m, start, 10_000, 0.05)
				step := (&search{resolution: 0.05}).step(got)
				if !sure || got > carries || limit <= carries || limit-got > step || float64(carries-got) >
					0.1*float64(carries) && carries-got > 1 {
					t.Errorf("from %d: %d carried, %d not, sure %t; the model carries %d", start, got, limit, sure,
						carries)
				}
				if long := m.tried[trialConfirm] + m.tried[trialLimit]; noise == 0 && long > 2 {
					t.Errorf("%d long trials for %d sessions", long, carries)
				}
			}
		}
	}
}

func TestSearchKnowsItsBounds(t *testing.T) {
	for _, tt := range []struct {
		name        string
		model       model
		start, most int
		all, sure   bool // as many as were tried are carried; the outcome is sure
	}{
		{"not even one", model{carries: 0}, 4, 100, false, true},
		{"all that are tried", model{carries: 500}, 4, 100, true, true},
		{"the first is the last", model{carries: 500}, 7, 7, true, true},
		{"one less than all", model{carries: 99}, 4, 100, false, true},
		{"below the first", model{carries: 3}, 64, 100, false, true},
		{"generator too slow", model{carries: 50, saturated: 40}, 4, 100, false, false},
		{"generator too slow later", model{carries: 50, saturated: 60}, 4, 100, false, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			carried, limit, sure := find(t, &tt.model, tt.start, tt.most, 0.05)
			if sure != tt.sure || tt.all && (carried != tt.most || limit != 0) || !tt.all &&
				(carried > tt.model.carries || limit <= tt.model.carries) {
				t.Errorf("%d carried, %d not, sure %t", carried, limit, sure)
			}
		})
	}
}

func TestSearchCorrectsShortTrials(t *testing.T) {
	// Short trials see half or twice of what is carried in long ones.
	for _, shortly := range []int{20, 80} {
		s := &search{start: 4, most: 1000, resolution: 0.1, try: func(_ context.Context, kind string,
			sessions int) (result, error) {
			carries := shortly
			if kind == trialConfirm || kind == trialLimit {
				carries = 40
			}
			if sessions <= carries {
				return kept, nil
			}
			return missed, nil
		}}
		carried, limit, sure, err := s.run(t.Context())
		if err != nil || carried > 40 || sure && (limit <= 40 || carried < 36) {
			t.Errorf("%d in short trials: %d carried, %d not, sure %t, error %v", shortly, carried, limit, sure, err)
		}
		if shortly == 80 && !sure {
			t.Error("not found from above")
		}
	}
}

func TestSearchEndsWithItsTrials(t *testing.T) {
	why := errors.New("enough")
	trials := 0
	s := &search{start: 4, most: 100, resolution: 0.05, try: func(context.Context, string, int) (result, error) {
		if trials++; trials == 5 {
			return missed, why
		}
		return kept, nil
	}}
	if _, _, _, err := s.run(t.Context()); !errors.Is(err, why) || trials != 5 {
		t.Errorf("%d trials, error %v", trials, err)
	}
}

package main

import "testing"

func TestNextGarbage(t *testing.T) {
	for _, c := range []struct {
		percent    int
		collecting float64 // of one second used
		want       int
	}{
		{25, 0, 12},
		{leastGarbage, 0, leastGarbage},
		{25, 0.03, 25},
		{25, 0.1, 50},
		{50, 0.05, 100},
		{100, 0.025, 100},
		{150, 0.3, mostGarbage},
		{mostGarbage, 0.3, mostGarbage},
		{100, 0.005, 50},
		{15, 0.001, leastGarbage},
	} {
		if got := nextGarbage(c.percent, collectorTimes{1, c.collecting}); got != c.want {
			t.Errorf("at %d %% and %g s of a second: %d %%, want %d", c.percent, c.collecting, got, c.want)
		}
	}
	if got := nextGarbage(100, collectorTimes{}); got != 100 {
		t.Errorf("where nothing was used: %d %%, want 100", got)
	}
}

func TestCollectorTimes(t *testing.T) {
	if got := readCollectorTimes(); got.used < got.collecting || got.collecting < 0 {
		t.Errorf("%+v", got)
	}
}

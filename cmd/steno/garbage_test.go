package main

import (
	"runtime"
	"testing"
)

func TestNextGarbage(t *testing.T) {
	const megabyte = 1 << 20
	for _, c := range []struct {
		cost      float64 // of a collection, s
		allocated float64 // megabytes in a second of processor time, of 100 that are in use
		want      int
	}{
		{0.1, 0, leastGarbage},
		{0.1, 1, leastGarbage},
		{0.1, 4, 20},
		{0.1, 20, 100},
		{0.2, 20, mostGarbage},
		{0.01, 100, 50},
		{10, 1000, mostGarbage},
	} {
		spent := collector{used: 1, allocated: c.allocated * megabyte, live: 100 * megabyte}
		if got := nextGarbage(c.cost, spent, collectingShare); got != c.want {
			t.Errorf("where a collection takes %g s and %g MB are allocated: %d %%, want %d", c.cost, c.allocated, got,
				c.want)
		}
	}
	if got := nextGarbage(0.1, collector{used: 1, allocated: 40, live: 100}, growingShare); got != 20 {
		t.Errorf("while more sockets come: %d %%, want 20", got)
	}
	if got := nextGarbage(0, collector{}, collectingShare); got != leastGarbage {
		t.Errorf("where nothing was done: %d %%, want %d", got, leastGarbage)
	}
	if got := nextGarbage(0.1, collector{allocated: 1, live: 1}, collectingShare); got != mostGarbage {
		t.Errorf("where less was used than is counted: %d %%, want %d", got, mostGarbage)
	}
}

func TestCalmShare(t *testing.T) {
	for cost, want := range map[float64]float64{
		0: collectingShare, shortCollection / 2: collectingShare, shortCollection: collectingShare,
		4 * shortCollection: collectingShare / 4,
	} {
		if got := calmShare(cost); got != want {
			t.Errorf("where a collection takes %g s: %g, want %g", cost, got, want)
		}
	}
}

func TestReadCollector(t *testing.T) {
	before := readCollector()
	kept := make([]byte, 1<<20)
	runtime.GC()
	c := readCollector()
	runtime.KeepAlive(kept)
	spent := c.since(before)
	if spent.cycles < 1 || spent.allocated < 1<<20 || spent.collecting < 0 || c.live < 1<<20 || c.used <= 0 ||
		c.free < 0 {
		t.Errorf("%+v, of which since %+v", c, spent)
	}
}

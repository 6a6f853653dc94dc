package live

import (
	"fmt"
	"testing"

	"steno/gateway/limits"
	"steno/gateway/metrics"
	"steno/session/store"
)

// TestCountsAreBounded has more holders than a report may name: it names those with the most
// sessions.
func TestCountsAreBounded(t *testing.T) {
	l := limits.Limits{}.WithDefaults()
	g := newRegistry(&l, metrics.New())
	const holders = store.MaxCounts + 100
	for i := range holders {
		for range 1 + i/(holders/2) { // two for the later half
			g.count(holder{account: fmt.Sprint(i)})
		}
	}
	counts := g.counts()
	if len(counts) != store.MaxCounts {
		t.Errorf("%d counts", len(counts))
	}
	if all := counts[allSessions]; all != int64(g.total) {
		t.Errorf("%d sessions in all, want %d", all, g.total)
	}
	for i := holders/2 + 1; i < holders; i++ {
		if n := counts[holder{account: fmt.Sprint(i)}.name()]; n != 2 {
			t.Fatalf("holder %d has %d", i, n)
		}
	}
}

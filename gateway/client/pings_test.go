package client

import (
	"slices"
	"testing"
	"time"
)

// However many sockets are opened together, their first pings are spread over the whole period.
func TestPingsOfSocketsOpenedTogetherAreSpread(t *testing.T) {
	if got := shareOf(0, time.Second); got != 0 {
		t.Errorf("the first socket is %v early", got)
	}
	for _, n := range []int{2, 10, 100, 2500} {
		var all []time.Duration
		for i := range n {
			all = append(all, shareOf(uint64(i+12345), time.Second))
		}
		slices.Sort(all)
		widest := all[0] + time.Second - all[n-1]
		for i := 1; i < n; i++ {
			widest = max(widest, all[i]-all[i-1])
		}
		if all[0] < 0 || all[n-1] >= time.Second || widest > 3*time.Second/time.Duration(n) {
			t.Errorf("%d sockets from %v to %v, %v without any", n, all[0], all[n-1], widest)
		}
	}
}

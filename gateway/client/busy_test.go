package client

import (
	"testing"
	"time"
)

// The process becomes busy above one share of its processors and stays so until it uses much less,
// since accumulating messages lowers its use.
func TestProcessorUse(t *testing.T) {
	const processors = 2
	var use processorUse
	now, used := time.Unix(100, 0), 50*time.Hour // of a process that has run for long
	if use.observe(now, used, processors) {
		t.Error("busy at the first look")
	}
	for i, c := range []struct {
		share float64
		busy  bool
	}{
		{0, false}, {0.5, false}, {0.74, false}, {0.76, true}, {0.4, true}, {0.31, true}, {0.29, false}, {0.4, false},
		{1, true}, {0, false},
	} {
		elapsed := time.Duration(i+1) * time.Second / 2
		now = now.Add(elapsed)
		used += time.Duration(c.share * processors * float64(elapsed))
		if got := use.observe(now, used, processors); got != c.busy {
			t.Errorf("look %d: busy is %t at a share of %.2f", i, got, c.share)
		}
	}
	if use.observe(now, used+time.Hour, processors) {
		t.Error("busy where no time has passed")
	}
}

func TestProcessorTime(t *testing.T) {
	before, err := processorTime()
	if err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); ; {
		after, err := processorTime()
		if err != nil {
			t.Fatal(err)
		}
		if after > before {
			return
		}
		if time.Now().After(end) {
			t.Fatal("a loop of a minute uses no processor time")
		}
	}
}

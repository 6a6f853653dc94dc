package main

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"
)

// How much garbage may wait to be collected, in percent of the memory in use. Silent sessions make next to none: to collect early
// costs next to nothing there, and halves the memory that they take. Sessions that speak make more: what collecting them early costs,
// a tenth of all processor time, serves better for speech.
const (
	leastGarbage = 10
	firstGarbage = 25 // of a process that starts
	mostGarbage  = 200
)

// The shares of the processor time used that collecting is to stay between. They are more than a factor of two apart, as a step
// changes the share by that factor.
const (
	collectsMuch   = 0.04
	collectsLittle = 0.01
)

const collectorPeriod = 5 * time.Second // between looks at how much collecting costs

// tuneCollector has garbage collected as early as costs little, until the returned function is called. It does nothing where the
// environment says when to collect.
func tuneCollector(environ []string) (stop func()) {
	if _, said := lookup(environ, "GOGC"); said {
		return func() {}
	}
	ctx, cancel := context.WithCancel(context.Background())
	var tuning sync.WaitGroup
	before := debug.SetGCPercent(firstGarbage)
	tuning.Go(func() {
		percent, last := firstGarbage, readCollectorTimes()
		for tick := time.NewTicker(collectorPeriod); ; {
			select {
			case <-ctx.Done():
				tick.Stop()
				return
			case <-tick.C:
			}
			now := readCollectorTimes()
			if next := nextGarbage(percent, now.minus(last)); next != percent {
				percent = next
				debug.SetGCPercent(percent)
			}
			last = now
		}
	})
	return func() {
		cancel()
		tuning.Wait()
		debug.SetGCPercent(before)
	}
}

// nextGarbage is how much garbage may wait from now on, given what collecting cost of late.
func nextGarbage(percent int, spent collectorTimes) int {
	switch {
	case spent.collecting > collectsMuch*spent.used:
		return min(2*percent, mostGarbage)
	case spent.collecting < collectsLittle*spent.used:
		return max(percent/2, leastGarbage)
	}
	return percent
}

// collectorTimes are processor times of this process, in seconds.
type collectorTimes struct{ used, collecting float64 }

func (t collectorTimes) minus(o collectorTimes) collectorTimes {
	return collectorTimes{t.used - o.used, t.collecting - o.collecting}
}

// readCollectorTimes reads what the runtime counts. It counts collecting at the end of a collection, and only what it used of the
// processors itself.
func readCollectorTimes() collectorTimes {
	samples := []metrics.Sample{
		{Name: "/cpu/classes/total:cpu-seconds"}, {Name: "/cpu/classes/idle:cpu-seconds"}, {Name: "/cpu/classes/gc/total:cpu-seconds"},
	}
	metrics.Read(samples)
	return collectorTimes{samples[0].Value.Float64() - samples[1].Value.Float64(), samples[2].Value.Float64()}
}

package main

import (
	"context"
	"math"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"syscall"
	"time"

	"steno/cmd/steno/config"
)

// How much garbage may wait to be collected, in percent of the memory in use. Silent sessions make
// next to none: to collect early costs next to nothing there, and halves the memory that they take.
// Sessions that speak make more: what collecting them early costs, a tenth of all processor time,
// serves better for speech. While a processor that serves thousands of sessions collects, which
// takes it a tenth of a second, their messages wait: up to as long at the end, where it has little
// time left. So collections that take long are rare.
//
// Where more and more sockets come, collecting early may cost more: what is made for each of them
// lies between what stays, and where it is collected late, that is left full of holes, which
// nothing fills once no more come.
const (
	leastGarbage = 10
	mostGarbage  = 200
	growth       = 1.1 // of the number of sockets, from one look to the next, from which on more come
)

const (
	collectingShare = 0.02        // of the processor time used, that collecting is to take
	growingShare    = 0.2         // the same while more sockets come
	shortCollection = 0.008       // in seconds of processor time; see calmShare
	collectorPeriod = time.Second // between looks at what collecting costs
	releasePeriod   = 30 * time.Second
	// share of the memory in use up to which free memory is left to the runtime, which keeps a
	// tenth or more
	mostFree = 0.03
)

// tuneCollector has garbage collected as early as costs little, until the returned function is
// called. It does nothing where the environment sets when to collect. sockets returns how many
// sockets are open.
func tuneCollector(environ []string, sockets func() int64) (stop func()) {
	if _, said := config.Lookup(environ, "GOGC"); said {
		return func() {}
	}
	ctx, cancel := context.WithCancel(context.Background())
	var tuning sync.WaitGroup
	t := tuner{percent: leastGarbage, last: readCollector(), sockets: sockets}
	before := debug.SetGCPercent(t.percent)
	tuning.Go(func() {
		for tick := time.NewTicker(collectorPeriod); ; {
			select {
			case <-ctx.Done():
				tick.Stop()
				return
			case now := <-tick.C:
				t.tune(now)
			}
		}
	})
	return func() {
		cancel()
		tuning.Wait()
		debug.SetGCPercent(before)
	}
}

// tuner decides how much garbage may wait. It is used by one goroutine.
type tuner struct {
	percent  int
	last     collector
	sockets  func() int64
	served   int64     // sockets at the last look
	cost     float64   // of a collection, in seconds of processor time
	released time.Time // when free memory was last given back
}

// tune looks at what was spent since the last time.
func (t *tuner) tune(now time.Time) {
	c := readCollector()
	spent, sockets := c.since(t.last), t.sockets()
	grows := float64(sockets) > growth*float64(t.served)
	t.last, t.served = c, sockets
	if spent.cycles > 0 {
		t.cost = spent.collecting / spent.cycles
	}
	share := calmShare(t.cost)
	if grows {
		share = growingShare
	}
	next := nextGarbage(t.cost, spent, share)
	lowered := next < t.percent
	if next != t.percent {
		t.percent = next
		debug.SetGCPercent(next)
	}
	if !grows && next == leastGarbage && (lowered || now.Sub(t.released) >= releasePeriod) && c.free > mostFree*c.live {
		t.released = now
		debug.FreeOSMemory() // it collects, too
	}
}

// calmShare is the share of the processor time that collecting may take while no more sockets come
// than before, given the cost of a collection in seconds, 0 if it is not known. Where one takes n
// times as long as a short one, the share is an n-th.
func calmShare(cost float64) float64 { return collectingShare * min(1, shortCollection/cost) }

// nextGarbage is how much garbage may wait, given the cost of a collection in seconds, what was
// spent of late, and the share of the processor time that collecting may take. While a part p of
// the memory that is in use may wait, there is a collection for every p times so many bytes that
// are allocated.
func nextGarbage(cost float64, spent collector, share float64) int {
	part := cost * spent.allocated / (spent.live * share * spent.used)
	if math.IsNaN(part) { // nothing was used and nothing allocated
		part = 0
	}
	return int(min(max(100*part, leastGarbage), mostGarbage))
}

// collector is what the runtime counts: processor times of this process in seconds, memory in
// bytes.
type collector struct {
	used, collecting, cycles, allocated float64 // so far
	live, free                          float64 // in use after the last collection; not in use, and not given back
}

// since is what was counted after an earlier time.
func (c collector) since(o collector) collector {
	c.used, c.collecting, c.cycles, c.allocated = c.used-o.used, c.collecting-o.collecting, c.cycles-o.cycles,
		c.allocated-o.allocated
	return c
}

// readCollector reads what the runtime counts. It counts collecting at the end of a collection.
func readCollector() collector {
	samples := []metrics.Sample{
		{Name: "/cpu/classes/gc/total:cpu-seconds"}, {Name: "/gc/cycles/total:gc-cycles"},
		{Name: "/gc/heap/allocs:bytes"},
		{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/free:bytes"},
	}
	metrics.Read(samples)
	count := func(i int) float64 { return float64(samples[i].Value.Uint64()) }
	var used syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &used) // fails for bad arguments only
	return collector{
		used: time.Duration(used.Utime.Nano() + used.Stime.Nano()).Seconds(), collecting: samples[0].Value.Float64(),
		cycles: count(1), allocated: count(2),
		live: count(3), free: count(4),
	}
}

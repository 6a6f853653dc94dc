package loadtest

import (
	"fmt"
	"os"
	"time"
)

// Saturation: a generator that is later than this, or uses more than this of the processors it may
// use, measures itself.
const (
	maxLag       = 5 * time.Millisecond // of 99 in 100 frames
	maxProcessor = 0.8
)

// Generator tells whether the load was what it should have been.
type Generator struct {
	Processors int     `json:"processors"` // it may use
	Used       float64 `json:"used"`       // share of them while sessions were open
	Lag        float64 `json:"lag_p99"`    // seconds by which frames were late through its own fault
	// Saturated is why the figures are not those of the server; empty: they are.
	Saturated string `json:"saturated,omitempty"`
}

// judged returns g with the reason why it is saturated, if it is.
func (g Generator) judged() Generator {
	switch {
	case g.Lag > maxLag.Seconds():
		g.Saturated = fmt.Sprintf("its frames went out %.1f ms late (p99; %d is the limit)", 1e3*g.Lag,
			maxLag.Milliseconds())
	case g.Used > maxProcessor:
		g.Saturated = fmt.Sprintf("it used %.0f %% of its processors (%.0f is the limit)", 100*g.Used, 100*maxProcessor)
	default:
		g.Saturated = ""
	}
	return g
}

// ServerUse is what the server under test and the processes it has started used. It is there if the
// server runs on this machine.
type ServerUse struct {
	Processor float64 `json:"processor"` // processors in use, on the average
	Memory    int64   `json:"memory"`    // greatest resident size, bytes
}

// mebibytes is the nearest whole number of MiB.
func mebibytes(bytes int64) int64 { return (bytes + 1<<19) >> 20 }

// meter measures what generator and server use, once a second.
type meter struct {
	figures *figures
	server  int // process id; 0: not watched
	began   time.Time

	last        time.Time
	own, theirs time.Duration // processor time at the last sample
	firstOwn    time.Duration
	firstTheirs time.Duration
	memory      int64
}

// newMeter begins to measure. The server is watched if it is a process of this machine, and not
// this one.
func newMeter(f *figures, address string) *meter {
	m := &meter{figures: f, began: time.Now()}
	if pid, err := serverProcess(address); err == nil && pid != os.Getpid() {
		m.server = pid
	}
	m.last = m.began
	m.own, m.theirs = ownProcessor(), m.serverUse().processor
	m.firstOwn, m.firstTheirs = m.own, m.theirs
	return m
}

// watch samples until ended is closed, and reports progress.
func (m *meter) watch(ended <-chan struct{}, report func(Progress)) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			m.sample(time.Now())
			if report != nil {
				report(m.figures.progress(time.Now()))
			}
		case <-ended:
			return
		}
	}
}

func (m *meter) sample(now time.Time) {
	own, server := ownProcessor(), m.serverUse()
	took := max(now.Sub(m.last).Seconds(), 1e-3)
	p := Point{At: now.Sub(m.began).Seconds(), OwnCPU: (own - m.own).Seconds() / took, ServerMemory: server.memory}
	if m.server != 0 {
		p.ServerCPU = max((server.processor-m.theirs).Seconds()/took, 0)
	}
	m.last, m.own, m.theirs = now, own, server.processor
	m.figures.sample(p)
}

// serverUse is zero where the server is not watched, and from its end on.
func (m *meter) serverUse() usage {
	if m.server == 0 {
		return usage{}
	}
	u, err := usageOf(m.server)
	if err != nil {
		m.server = 0
	}
	m.memory = max(m.memory, u.memory)
	return u
}

// used returns what generator and server used while delays were measured, and judges the generator.
// The server is nil where it is not watched. The run has ended, and the lock of figures is held.
func (m *meter) used(f *figures, lag Delay) (Generator, *ServerUse) {
	took := max(time.Since(m.began).Seconds(), 1e-3)
	own, server := (ownProcessor()-m.firstOwn).Seconds()/took, (m.theirs-m.firstTheirs).Seconds()/took
	if points := f.measured(); len(points) > 0 {
		own, server = 0, 0
		for _, p := range points {
			own += p.OwnCPU / float64(len(points))
			server += p.ServerCPU / float64(len(points))
		}
	}
	g := Generator{Processors: processors(), Used: own / float64(processors()), Lag: lag.P99}
	if m.memory == 0 {
		return g.judged(), nil
	}
	return g.judged(), &ServerUse{Processor: server, Memory: m.memory}
}

// measured returns the points of the time in which delays were measured, without the first, which
// began before it.
func (f *figures) measured() []Point {
	var all []Point
	for _, p := range f.series.points {
		if at := f.start.Add(seconds(p.At)); f.counts(at) && f.counts(at.Add(-time.Second)) {
			all = append(all, p)
		}
	}
	return all
}

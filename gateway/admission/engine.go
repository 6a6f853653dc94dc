package admission

import (
	"time"

	"steno/gateway/metrics"
)

// A Level is what is degraded to keep finals of live speech in time. Each includes those before it.
type Level int

// The levels.
const (
	Normal       Level = iota
	ReplayPauses       // recordings pause
	PartialsThin       // a part of the utterances has no partials
	Refusing           // new sessions are refused
)

// engine is an engine that reports its load, and what is degraded for it. It is guarded by the
// controller's lock.
type engine struct {
	name     string
	capacity *capacity
	level    Level

	share float64            // of the utterances that have partials
	due   map[string]float64 // partials of utterances, by account: one more has them when it reaches 1

	resumed chan struct{} // closed when recordings continue; nil while they do
	passed  time.Time     // when one utterance of a recording was let through last
}

func newEngine(name string) *engine {
	return &engine{name: name, capacity: newCapacity(), share: 1, due: map[string]float64{}}
}

func (e *engine) observe(now time.Time, loads []EngineLoad) { e.capacity.observe(now, loads) }

// silent forgets the load of an engine that reports nothing any more, and what was degraded for it.
func (e *engine) silent() {
	e.capacity.silent()
	e.share = 1
}

// degrade decides what is degraded for so many speakers, with a budget for the wait of finals.
func (e *engine) degrade(speakers float64, budget time.Duration) {
	c := e.capacity
	wait := c.wait / budget.Seconds()
	switch {
	case c.load > replayPart || wait > 0.25:
		e.pause(true)
	case c.load < resumePart && wait < 0.125:
		e.pause(false)
	}
	room := c.partialsShare(speakers)
	if wait > 0.5 {
		e.share = min(room, e.share/2)
	} else {
		e.share = min(room, e.share+0.1)
	}
	switch {
	case wait > 1 || speakers+1 > max(c.most(), 1):
		e.level = Refusing
	case e.share < 1:
		e.level = PartialsThin
	case e.resumed != nil:
		e.level = ReplayPauses
	default:
		e.level = Normal
	}
}

// pause has recordings pause, or continue.
func (e *engine) pause(on bool) {
	switch {
	case on && e.resumed == nil:
		e.resumed = make(chan struct{})
	case !on && e.resumed != nil:
		close(e.resumed)
		e.resumed = nil
	}
}

// partials reports whether the next utterance of an account has partials, where accounts have so
// many speakers: those with many have none first.
func (e *engine) partials(account string, speakers map[string]float64) bool {
	for name := range e.due {
		if _, speaks := speakers[name]; !speaks {
			delete(e.due, name)
		}
	}
	due := e.due[account] + shareOf(account, speakers, e.share)
	has := due >= 1
	if has {
		due = min(due-1, 1)
	}
	e.due[account] = due
	return has
}

// publish makes the state known. It is called with mu held.
func (c *Controller) publish(now time.Time) {
	all := c.demandOf(now, "", "")
	c.metrics.Node(metrics.NodeLoad{
		Speaking: all.speaking, Reserved: all.reserved, Expected: all.expected, Lag: c.lag(),
	})
	for name, e := range c.engines {
		n, most := c.demandOf(now, name, "").speakers(), e.capacity.most()
		c.metrics.Engine(name, metrics.EngineLoad{
			Capacity: most, Headroom: max(0, most-n), Level: int(e.level), Partials: e.share, Load: e.capacity.load,
			FinalWait: e.capacity.wait, FinalCost: e.capacity.finals.perSpeaker(),
			PartialCost: e.capacity.partials.perSpeaker(),
		})
	}
}

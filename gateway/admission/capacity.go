package admission

import (
	"math"
	"time"
)

// The parts of its decoding slots that an engine is loaded with. The remainder is what keeps queues
// short: with random arrivals the wait grows with load / (1 - load).
const (
	finalsPart   = 0.6 // by finals, at the most speakers that are admitted
	livePart     = 0.8 // by finals and partials together
	replayPart   = 0.5 // by finals and partials, above which recordings pause
	resumePart   = 0.35
	measuredFor  = 2 * time.Second  // time constant of the load
	costFor      = 30 * time.Second // of audio: time constant of the costs
	usualFrom    = 5 * time.Minute  // of audio that usual costs are learnt from
	usualFall    = time.Minute      // of audio: with which they follow costs that are less afterwards
	usualRise    = time.Hour        // of audio: and costs that are greater
	returnFor    = 20 * time.Second // time constant with which costs return to what is usual
	silentFor    = 10 * time.Second // after the last report of an engine nothing is known of its load
	assumedAudio = 10 * time.Second // by which the assumed costs count as measured
	waitFor      = 2 * time.Second  // time constant with which the wait of finals is forgotten
	// part of a decode's time for which it may wait for a processor: so much is the load's own
	// doing
	ownWait = 0.15
	// speakers that are admitted whatever was measured: without any, nothing can be measured
	trusted  = 1.0
	crowding = 0.3 // by which a speaker costs more where the slots are full than where they are free
)

// Costs that are assumed until they are measured, in slots for each speaker.
const (
	assumedFinals   = 0.15
	assumedPartials = 0.1
)

// cost is what the decoding of a second of speech costs, in s of a slot, as measured over the
// newest speech. Whatever else keeps the machine busy makes it greater: so that this is not held
// against the engine for long, the cost returns to what is usual, however little speech there is to
// measure.
type cost struct {
	spent, audio float64 // in s
	usual        float64 // follows what is measured, faster if that is less
	heard        float64 // s of audio that usual was learnt from
}

func newCost(assumed float64) cost {
	audio := assumedAudio.Seconds()
	return cost{spent: assumed * audio, audio: audio, usual: assumed, heard: audio}
}

// cost returns for how long the work needs a slot. When a machine is full of speech, decodes wait
// for processors that others of them or the gateway have, for which the remainder of the slots
// allows; who speaks costs no more for it. A longer wait shows that something else has the
// processors.
func (w Work) cost() time.Duration {
	return max(w.Processor, time.Duration((1-ownWait)*float64(w.Decoding)))
}

// inCrowd returns the work as it would have been with the slots as full of live speech as they may
// be: processors that are all busy share caches, memory and often the core of two of them. Else a
// gateway that has heard one speaker alone admits more than it carries. load is the part of the
// slots that was busy.
func (w Work) inCrowd(load float64) Work {
	by := 1 + crowding*max(0, 1-load/finalsPart)
	w.Decoding = time.Duration(by * float64(w.Decoding))
	w.Processor = time.Duration(by * float64(w.Processor))
	return w
}

// learn takes in what was decoded in a number of seconds.
func (c *cost) learn(w Work, took float64) {
	c.spent = c.audio * (c.usual + (c.perSpeaker()-c.usual)*math.Exp(-took/returnFor.Seconds()))
	audio := w.Audio.Seconds()
	if audio <= 0 {
		return
	}
	keep := math.Exp(-audio / costFor.Seconds())
	c.spent = c.spent*keep + w.cost().Seconds()
	c.audio = c.audio*keep + audio
	c.usual += (c.perSpeaker() - c.usual) * (1 - math.Exp(-audio/c.follow()))
	c.heard += audio
}

// follow returns the time constant of what is usual, in s of audio.
func (c *cost) follow() float64 {
	switch {
	case c.heard < usualFrom.Seconds():
		return c.heard
	case c.perSpeaker() < c.usual:
		return usualFall.Seconds()
	}
	return usualRise.Seconds()
}

// perSpeaker returns the slots that one speaker keeps busy.
func (c cost) perSpeaker() float64 { return max(c.spent/c.audio, 1e-4) }

// capacity is what an engine can carry, as learnt from the reports of its work. It is guarded by
// its owner.
type capacity struct {
	slots    float64
	finals   cost
	partials cost
	load     float64 // part of the slots that live speech keeps busy
	speakers float64 // whose speech the engine decodes, those of other gateways too
	wait     float64 // of finals for a slot, in s: the newest that was long
	shared   bool    // it serves other gateways too

	servers map[string]EngineLoad // the newest reports
	seen    time.Time             // when
}

func newCapacity() *capacity {
	return &capacity{finals: newCost(assumedFinals), partials: newCost(assumedPartials),
		servers: map[string]EngineLoad{}}
}

// observe takes in the reports of all processes and servers of the engine at a time.
func (c *capacity) observe(now time.Time, loads []EngineLoad) {
	took := now.Sub(c.seen).Seconds()
	first := c.seen.IsZero()
	before := c.servers
	c.servers, c.seen, c.slots = map[string]EngineLoad{}, now, 0
	var finals, partials Work
	for _, l := range loads {
		c.servers[l.Server] = l
		c.slots += float64(l.Slots)
		c.shared = c.shared || l.Server != ""
		old, known := before[l.Server]
		if !known || l.restarted(old) {
			continue
		}
		finals = finals.Add(l.Finals.since(old.Finals))
		partials = partials.Add(l.Partials.since(old.Partials))
	}
	if first || took <= 0 || c.slots == 0 {
		return
	}
	keep := math.Exp(-took / measuredFor.Seconds())
	c.load = c.load*keep + (1-keep)*(finals.Decoding+partials.Decoding).Seconds()/took/c.slots
	c.finals.learn(finals.inCrowd(c.load), took)
	c.partials.learn(partials.inCrowd(c.load), took)
	keep = math.Exp(-took / (5 * measuredFor).Seconds()) // finals come in lumps of whole utterances
	c.speakers = c.speakers*keep + (1-keep)*finals.Audio.Seconds()/took
	c.learnWait(finals, took)
}

// silent forgets what the engine said of its load, and keeps what was learnt of its slots and
// costs: what it carries when it is back.
func (c *capacity) silent() {
	c.load, c.speakers, c.wait = 0, 0, 0
	c.servers = map[string]EngineLoad{}
}

// learnWait takes in how long finals waited. A longer wait counts immediately; it is forgotten
// slowly.
func (c *capacity) learnWait(finals Work, took float64) {
	wait := 0.0
	if finals.Jobs > 0 {
		wait = finals.Queued.Seconds() / float64(finals.Jobs)
	}
	if finals.Waiting > 0 {
		wait = max(wait, finals.Oldest.Seconds())
	}
	c.wait = max(wait, c.wait*math.Exp(-took/waitFor.Seconds()))
}

// most returns how many speakers the engine carries while partials are left out, a whole number, as
// nothing finer is known; infinite where it does not report its slots.
func (c *capacity) most() float64 {
	if c.slots == 0 {
		return math.Inf(1)
	}
	return max(math.Round(c.slots*finalsPart/c.finals.perSpeaker()), trusted)
}

// partialsShare returns for which part of the utterances of so many speakers there is room for
// partials.
func (c *capacity) partialsShare(speakers float64) float64 {
	if c.slots == 0 || speakers <= 0 {
		return 1
	}
	room := c.slots*livePart - speakers*c.finals.perSpeaker()
	return min(1, max(0, room/(speakers*c.partials.perSpeaker())))
}

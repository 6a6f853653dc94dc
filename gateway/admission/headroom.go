package admission

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// Headroom is what a node carries, and what it could carry in addition.
type Headroom struct {
	Speaking float64 // channels with open speech
	Held     float64 // for new sessions that do not speak
	Room     float64 // speakers that can be admitted; infinite where nothing bounds them
	Engines  []EngineHeadroom
}

// EngineHeadroom is that of an engine that reports its load.
type EngineHeadroom struct {
	Name      string
	Capacity  float64 // speakers; infinite where it is not known
	Room      float64
	Level     Level   // of what is degraded
	Load      float64 // part of the decoding slots that live speech keeps busy
	FinalWait float64 // seconds
	FinalCost float64 // decoding slots for each speaker where the slots are full: a real-time factor
}

// Headroom returns the present headroom. Of several engines that of the one with the least room
// counts.
func (c *Controller) Headroom() Headroom {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	all := c.demandOf(now, "", "")
	h := Headroom{Speaking: all.speaking, Held: all.reserved, Room: math.Inf(1)}
	if most := float64(c.config.Speakers); most > 0 {
		h.Room = max(0, most-all.speakers())
	}
	for name, e := range c.engines {
		most := e.capacity.most()
		room := max(0, most-c.demandOf(now, name, "").speakers())
		if c.config.Headroom {
			h.Room = min(h.Room, room)
		}
		h.Engines = append(h.Engines, EngineHeadroom{
			Name: name, Capacity: most, Room: room, Level: e.level, Load: e.capacity.load, FinalWait: e.capacity.wait,
			FinalCost: e.capacity.finals.perSpeaker(),
		})
	}
	slices.SortFunc(h.Engines, func(a, b EngineHeadroom) int { return cmp.Compare(a.Name, b.Name) })
	return h
}

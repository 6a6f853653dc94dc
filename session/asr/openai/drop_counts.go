package openai

import (
	"maps"
	"sync"
)

// dropCounts counts by reason what was dropped. Any goroutine may call its methods.
type dropCounts struct {
	mu   sync.Mutex
	sums map[string]int64
}

func (c *dropCounts) add(of drops) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sums == nil {
		c.sums = map[string]int64{}
	}
	for reason, n := range of {
		c.sums[reason] += int64(n)
	}
}

func (c *dropCounts) all() map[string]int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.sums)
}

// Dropped returns how often parts of answers were dropped, by reason. Any goroutine may call it.
func (r *Recognizer) Dropped() map[string]int64 { return r.dropped.all() }

// PartialsDropped returns how many partials were left out, by reason. Any goroutine may call it.
func (r *Recognizer) PartialsDropped() map[string]int64 { return r.partialsDropped.all() }

package clean

import (
	"maps"
	"sync"
)

// Counts counts by reason what was dropped. Its methods may be called from any goroutine.
type Counts struct {
	mu   sync.Mutex
	sums map[string]int64
}

// Add adds what was dropped of one answer.
func (c *Counts) Add(of Drops) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sums == nil {
		c.sums = map[string]int64{}
	}
	for reason, n := range of {
		c.sums[reason] += int64(n)
	}
}

// All returns the counts so far. The map is the caller's.
func (c *Counts) All() map[string]int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.sums)
}

package twopass

import (
	"maps"
	"sync"
)

// Drop is a reason for leaving partials out.
type Drop string

const (
	DropRefused  Drop = "refused"  // utterances refused for partials: no room, or not the language
	DropLost     Drop = "lost"     // utterances whose stream for partials failed
	DropBehind   Drop = "behind"   // utterances whose stream for partials was MaxLag behind
	DropReplaced Drop = "replaced" // partials replaced by newer ones before they were received
)

type drops struct {
	mu     sync.Mutex
	counts map[Drop]int64
}

func (d *drops) add(why Drop) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.counts == nil {
		d.counts = map[Drop]int64{}
	}
	d.counts[why]++
}

// Drops returns how many partials were left out since New, by reason; reasons that did not occur are missing. The map
// is the caller's.
func (r *Recognizer) Drops() map[Drop]int64 {
	r.drops.mu.Lock()
	defer r.drops.mu.Unlock()
	return maps.Clone(r.drops.counts)
}

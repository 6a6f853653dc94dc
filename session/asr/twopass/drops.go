package twopass

import (
	"maps"
	"sync"
)

// Drop says why partials were left out.
type Drop string

const (
	DropRefused  Drop = "refused"  // utterances the partials' side would not take: no room, or not the language
	DropLost     Drop = "lost"     // utterances the partials' side lost
	DropBehind   Drop = "behind"   // utterances for which it was MaxLag behind
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

// Drops counts since New what partials were left out, those without a reason to be counted having no entry. The map is the
// caller's.
func (r *Recognizer) Drops() map[Drop]int64 {
	r.drops.mu.Lock()
	defer r.drops.mu.Unlock()
	return maps.Clone(r.drops.counts)
}

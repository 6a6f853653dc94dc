package store

import (
	"context"
	"time"
)

// Nodes is what the processes that share a store know of each other.
type Nodes interface {
	// Report makes known for ttl what a node counts, in place of its last report, and returns the
	// sums of what the other nodes have reported, as far as those reports are valid. Counts of 0
	// are left out. Errors: ErrInvalid (an empty node, a ttl under a millisecond), ErrTooLarge
	// (more than MaxCounts counts).
	Report(ctx context.Context, node string, counts map[string]int64, ttl time.Duration) (others map[string]int64,
		err error)
	// Peers lists the nodes whose report is valid, by name.
	Peers(ctx context.Context) ([]Node, error)
}

// MaxCounts bounds the counts of one report.
const MaxCounts = 4096

// Node is a process that serves a store.
type Node struct {
	Name string
	// Until is when its report expires, by the store's clock.
	Until time.Time
}

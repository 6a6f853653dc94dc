package embedded

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"steno/session/store"
)

// nodes implements store.Nodes in memory: one process at a time has the folder, so the nodes are
// the gateways in it.
type nodes struct{ reports *reports }

// reports are the last ones of all nodes.
type reports struct {
	now func() time.Time

	mu     sync.Mutex
	byNode map[string]report
}

type report struct {
	counts map[string]int64
	until  time.Time
}

func newNodes(now func() time.Time) nodes {
	return nodes{&reports{now: now, byNode: map[string]report{}}}
}

// Report implements store.Nodes.
func (n nodes) Report(ctx context.Context, node string, counts map[string]int64, ttl time.Duration) (map[string]int64,
	error) {
	err := ctx.Err()
	switch {
	case err != nil:
	case node == "" || ttl < time.Millisecond:
		err = store.ErrInvalid
	case len(counts) > store.MaxCounts:
		err = store.ErrTooLarge
	}
	if err != nil {
		return nil, fmt.Errorf("report counts: %w", err)
	}
	r := n.reports
	r.mu.Lock()
	defer r.mu.Unlock()
	r.expire()
	r.byNode[node] = report{counts: maps.Clone(counts), until: r.now().Add(ttl)}
	return r.others(node), nil
}

// others sums up what the nodes but one have reported. It is called with mu held.
func (r *reports) others(node string) map[string]int64 {
	sums := map[string]int64{}
	for name, one := range r.byNode {
		if name == node {
			continue
		}
		for what, count := range one.counts {
			if sums[what] += count; sums[what] == 0 {
				delete(sums, what)
			}
		}
	}
	return sums
}

// Peers implements store.Nodes.
func (n nodes) Peers(ctx context.Context) ([]store.Node, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("list nodes: %w", err)
	}
	r := n.reports
	r.mu.Lock()
	defer r.mu.Unlock()
	r.expire()
	var list []store.Node
	for name, one := range r.byNode {
		list = append(list, store.Node{Name: name, Until: one.until})
	}
	slices.SortFunc(list, func(a, b store.Node) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}

// expire removes the expired reports. It is called with mu held.
func (r *reports) expire() {
	now := r.now()
	maps.DeleteFunc(r.byNode, func(_ string, one report) bool { return !now.Before(one.until) })
}

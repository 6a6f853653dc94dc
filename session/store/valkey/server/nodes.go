package server

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"steno/session/store"
)

// Nodes implements store.Nodes.
type Nodes struct{ server *Conn }

func NewNodes(s *Conn) Nodes { return Nodes{s} }

var (
	reportScript = Scripts.Script("node_report")
	nodesScript  = Scripts.Script("node_list")
)

// Report implements store.Nodes.
func (n Nodes) Report(
	ctx context.Context, node string, counts map[string]int64, ttl time.Duration,
) (map[string]int64, error) {
	others, err := n.report(ctx, node, counts, ttl)
	if err != nil {
		return nil, fmt.Errorf("report counts: %w", err)
	}
	return others, nil
}

func (n Nodes) report(
	ctx context.Context, node string, counts map[string]int64, ttl time.Duration,
) (map[string]int64, error) {
	if node == "" || ttl < time.Millisecond {
		return nil, store.ErrInvalid
	}
	if len(counts) > store.MaxCounts {
		return nil, store.ErrTooLarge
	}
	args := []string{node, Milliseconds(ttl), Decimal(n.server.Here().UnixMilli())}
	for name, count := range counts {
		args = append(args, name, strconv.FormatInt(count, 10))
	}
	m, err := n.server.Run(ctx, reportScript, args...)
	if err != nil {
		return nil, err
	}
	return m.AsIntMap()
}

// Peers implements store.Nodes.
func (n Nodes) Peers(ctx context.Context) ([]store.Node, error) {
	m, err := n.server.Look(ctx, nodesScript)
	if err != nil {
		return nil, fmt.Errorf("list nodes: %w", err)
	}
	ends, err := m.AsIntMap()
	if err != nil {
		return nil, fmt.Errorf("list nodes: %w", err)
	}
	var list []store.Node
	for name, until := range ends {
		list = append(list, store.Node{Name: name, Until: time.UnixMilli(until).UTC()})
	}
	slices.SortFunc(list, func(a, b store.Node) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}

package live

import (
	"context"
	"steno/gateway/dialect"
	"time"

	"steno/gateway/recovery"
	"steno/session/retry"
)

// Drain refuses new sessions. Alone it waits until no session has a socket, the limit for that is
// over or ctx ends. If other nodes share the store it hands its sessions over to them within the
// limit.
func (s *Sessions) Drain(ctx context.Context) {
	s.draining.Store(true)
	ctx, cancel := context.WithTimeout(ctx, s.cfg.Limits.Drain)
	defer cancel()
	if s.registry.shared() {
		s.handOver(ctx)
	}
	s.awaitNoSockets(ctx)
}

// awaitNoSockets waits until no session has a socket, or ctx ends.
func (s *Sessions) awaitNoSockets(ctx context.Context) {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for s.Connected() > 0 && ctx.Err() == nil {
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
}

// handOver waits a quarter of the limit, in which load balancers learn that this node is not ready,
// and then gives up one session after the other over the next half, so that the clients do not all
// come to the others at once. Without a socket there is nothing to wait for, and no client to
// spread.
func (s *Sessions) handOver(ctx context.Context) {
	if s.Connected() == 0 || retry.Sleep(ctx, s.cfg.Limits.Drain/4) != nil {
		return
	}
	s.handing.Store(true)
	var list []*entry
	for _, e := range s.registry.list() {
		if e.connected() {
			list = append(list, e)
			continue
		}
		s.handOverEntry(e)
	}
	for i, e := range list {
		if i > 0 && retry.Sleep(ctx, s.cfg.Limits.Drain/time.Duration(2*len(list))) != nil {
			return
		}
		s.handOverEntry(e)
	}
}

// handOverEntry begins to give a session up.
func (s *Sessions) handOverEntry(e *entry) {
	s.tasks.Go(func() { s.cfg.Recoverer.Run(recovery.Task, e.id, e.handOver) })
}

// handOver gives the session up, unless it is finished.
func (e *entry) handOver() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.phase != ended && e.phase != dropped {
		e.release(dialect.Restart)
	}
}

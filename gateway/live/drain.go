package live

import (
	"context"
	"time"

	"steno/gateway/dialect"
	"steno/gateway/recovery"
	"steno/session/retry"
)

// Drain refuses new sessions. A single node waits until no session has a socket, at most for the
// limit or until ctx is done. If other nodes share the store, the sessions are handed over to them
// within the limit.
func (s *Sessions) Drain(ctx context.Context) {
	s.draining.Store(true)
	ctx, cancel := context.WithTimeout(ctx, s.cfg.Limits.Drain)
	defer cancel()
	if s.registry.shared() {
		s.handOver(ctx)
	}
	s.awaitNoSockets(ctx)
}

// awaitNoSockets waits until no session has a socket, or ctx is done.
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

// handOver waits a quarter of the limit, in which load balancers notice that this node is not
// ready. Then it releases one session after the other over the next half, so that their clients do
// not all reconnect at the same moment. Sessions without a socket are released immediately: they
// have no client to spread.
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

// handOverEntry starts to release a session.
func (s *Sessions) handOverEntry(e *entry) {
	s.tasks.Go(func() { s.cfg.Recoverer.Run(recovery.Task, e.id, e.handOver) })
}

// handOver releases the session, unless it is finished.
func (e *entry) handOver() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.phase != ended && e.phase != dropped {
		e.release(dialect.Restart)
	}
}

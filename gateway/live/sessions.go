package live

import (
	"sync"

	"steno/gateway/client"
	"steno/gateway/recovery"
)

// Sessions are the live sessions of a server. Its methods may be called from any goroutine.
type Sessions struct {
	*site
	creator
	door
	neighbours
}

// New returns the live sessions of a server. The caller must call Start, and Close in any case.
func New(c Config) *Sessions {
	at := newSite(c)
	s := &Sessions{site: at, creator: creator{site: at}, door: door{site: at}, neighbours: neighbours{at}}
	s.door.create, s.door.room = s.creator.create, s.creator.room
	return s
}

// Sockets returns how many sockets are served. It may be called from any goroutine.
func (s *Sessions) Sockets() int64 { return s.clients.Served() }

// Start starts to watch the sessions: it ends those that have waited too long or lost their API
// key, and adopts those that are due in the store.
func (s *Sessions) Start() {
	s.clients.Start()
	adopting := max(watchEvery, min(adoptEvery, s.cfg.Limits.ResumeWindow/4))
	s.tasks.Go(func() {
		s.repeat(adopting, "adoption", "sessions that are due are not taken up, tried again", s.adoptDue)
	})
	s.tasks.Go(func() { s.repeat(s.reportEvery(), "report", "other nodes are not told of, tried again", s.report) })
	s.tasks.Go(newWatchdog(s.site).run)
	s.tasks.Go(func() {
		s.repeat(client.LoadEvery, "processors", "the processor time used is not known, tried again",
			s.clients.MeasureLoad)
	})
	s.tasks.Go(func() { s.repeat(keysEvery, "keys", "removed keys are not noticed, tried again", s.endRevoked) })
	s.tasks.Go(func() { s.repeat(quotasEvery, "quotas", "used quotas are not noticed, tried again", s.endExhausted) })
}

// Forget drops a session whose record was deleted.
func (s *Sessions) Forget(id string) {
	if e := s.registry.take(id); e != nil {
		e.drop()
	}
}

// Node returns this node's name, by which the nodes that share the store know it.
func (s *Sessions) Node() string { return s.node }

// Unfinished returns how many sessions are not finished, on this node and on the others as
// reported.
func (s *Sessions) Unfinished() (here, elsewhere int) { return s.registry.unfinishedSessions() }

// Connected returns how many sessions have a socket. Those being opened or attached count.
func (s *Sessions) Connected() int {
	n := 0
	for _, e := range s.registry.list() {
		if e.connected() {
			n++
		}
	}
	return n
}

// Halt closes all sockets, so that clients reconnect after a restart, and leaves their sessions
// unchanged in the store. Nothing is opened after it. Only the first call has an effect.
func (s *Sessions) Halt() {
	s.draining.Store(true)
	if s.halted.Swap(true) {
		return
	}
	s.endLife()
	var all sync.WaitGroup
	for _, e := range s.registry.list() {
		all.Go(func() { s.cfg.Recoverer.Run(recovery.Task, e.id, e.abandon) })
	}
	all.Wait()
}

// Cut cuts the remaining connections, whose clients do not answer the close of their sockets.
func (s *Sessions) Cut() {
	for _, e := range s.registry.list() {
		e.mu.Lock()
		if e.client != nil {
			e.client.Cut()
		}
		e.mu.Unlock()
	}
}

// Close halts, and returns when all goroutines but those of sockets are done and all claims are
// released. It is called when no handler of a socket is left.
func (s *Sessions) Close() {
	s.Halt()
	s.tasks.Wait()
	var all sync.WaitGroup // concurrently: each may wait for a store that is out of reach
	for _, e := range s.registry.list() {
		all.Go(func() {
			e.mu.Lock()
			defer e.mu.Unlock()
			e.closeSession()
			e.phase = dropped
		})
	}
	all.Wait()
	s.clients.Stop()
}

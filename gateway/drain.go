package gateway

import (
	"context"
	"sync"
	"time"

	"steno/gateway/recovery"
	"steno/messages"
)

// closeGrace is how long sockets have for saying good-bye when everything ends.
const closeGrace = 2 * time.Second

// Drain takes no new sessions, begins no recorded files and waits until the running ones have ended, the configured time is
// over or ctx ends; then sockets are closed so that clients come back after the restart, and their sessions are left to go
// on there. Close is still owed.
func (s *Server) Drain(ctx context.Context) {
	s.draining.Store(true)
	s.jobs.Drain()
	ctx, cancel := context.WithTimeout(ctx, s.cfg.Limits.Drain)
	defer cancel()
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for s.sessions.attached() > 0 && ctx.Err() == nil {
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
	s.halt()
}

// halt closes all sockets and leaves their sessions as they are. Nothing is opened after it. Only the first call does
// anything.
func (s *Server) halt() {
	s.draining.Store(true)
	if s.halted.Swap(true) {
		return
	}
	s.endLife()
	var all sync.WaitGroup
	for _, e := range s.sessions.list() {
		all.Go(func() { s.recoverer.Run(recovery.Task, e.id, e.abandon) })
	}
	all.Wait()
}

// attached counts the sockets; a session being worked on may have one.
func (g *registry) attached() int {
	n := 0
	for _, e := range g.list() {
		if !e.mu.TryLock() {
			n++
			continue
		}
		if e.socket != nil {
			n++
		}
		e.mu.Unlock()
	}
	return n
}

// abandon ends the session here; whoever claims it next goes on with it.
func (e *entry) abandon() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.socket != nil {
		e.socket.out.end(messages.CloseRestart)
	}
	if e.session != nil {
		e.session.Abandon()
	}
}

// cutAll cuts the connections that are left.
func (g *registry) cutAll() {
	for _, e := range g.list() {
		e.mu.Lock()
		if e.socket != nil {
			e.socket.cut()
		}
		e.mu.Unlock()
	}
}

// release gives all sessions back. Called when no socket is left.
func (g *registry) release() {
	for _, e := range g.list() {
		e.mu.Lock()
		e.closeSession()
		e.phase = dropped
		e.mu.Unlock()
	}
}

package main

import (
	"slices"
	"sync"

	"steno/session/asr/local"
	"steno/session/asr/riva/pool"
	"steno/session/asr/router"
)

// arrivals tells the router which engines have come, so that what clients read of them is right from then on. They begin
// to come before there is a router.
type arrivals struct {
	mu     sync.Mutex
	router *router.Router // nil: there is none yet
	early  []string
}

// note tells the router of engines, by their names; it does so later if there is none yet.
func (a *arrivals) note(names ...string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.router == nil {
		a.early = append(a.early, names...)
		return
	}
	for _, name := range names {
		a.router.Came(name)
	}
}

func (a *arrivals) tell(r *router.Router) {
	a.mu.Lock()
	a.router = r
	early := a.early
	a.early = nil
	a.mu.Unlock()
	a.note(early...)
}

// came notes an engine, and those that are made of it.
func (r *recognition) came(name string) {
	names := []string{name}
	for other, e := range r.config.Engines.More {
		if e.Partials == name {
			names = append(names, other)
		}
	}
	if slices.Contains(r.config.Models.STTFusion.Engines, name) {
		names = append(names, voters)
	}
	r.arrivals.note(names...)
}

// noting is an observer that notes the engines that come, and then tells the one given.
func (r *recognition) noting(o observer) observer {
	process, server := o.process, o.server
	o.process = func(engine string, e local.Event) {
		if e.Kind == local.Ready {
			r.came(engine)
		}
		process(engine, e)
	}
	o.server = func(engine string, c pool.Change) {
		if c.Up {
			r.came(engine)
		}
		server(engine, c)
	}
	return o
}

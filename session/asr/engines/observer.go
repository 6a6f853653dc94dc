package engines

import (
	"slices"

	"steno/session/asr/local"
	"steno/session/asr/riva/pool"
)

// processChanged is called by a local engine's supervisor.
func (s *Set) processChanged(engine string, e local.Event) {
	if e.Kind == local.Ready {
		s.came(engine)
	}
	s.observer.Process(engine, e)
	switch e.Kind {
	case local.Ready:
		s.starts.record(engine, nil)
	case local.Failed:
		s.starts.record(engine, e.Err)
	}
}

// serverChanged is called by a pool.
func (s *Set) serverChanged(engine string, c pool.Change) {
	if c.Up {
		s.came(engine)
	}
	s.observer.Server(engine, c)
}

// came notifies the router that an engine is ready, and with it those that are made of it, so that
// it asks them for their models immediately.
func (s *Set) came(engine string) {
	<-s.routed
	if s.router == nil {
		return
	}
	s.router.Arrived(engine)
	for _, e := range s.config.Engines {
		if e.Partials == engine {
			s.router.Arrived(e.Name)
		}
	}
	if slices.Contains(s.config.Fusion.Members, engine) {
		s.router.Arrived(s.config.Fusion.Name)
	}
}

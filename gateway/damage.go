package gateway

import (
	"time"

	"steno/session/store"
)

// damageEvery is how often the store is asked for damage that it has found.
const damageEvery = 2 * time.Second

// watchDamage logs what the store finds of damage, and counts it, until the end of the server's
// life.
func (s *Server) watchDamage() {
	from, ok := s.deps.Store.(store.Inspected)
	if !ok {
		return
	}
	tick := time.NewTicker(damageEvery)
	defer tick.Stop()
	for seen := 0; ; {
		all := from.Damages()
		for _, d := range all[seen:] {
			s.metrics.Damages.Inc()
			s.log.Error().Str("id", d.Session).Str("damage", d.What).Bool("fatal", d.Fatal).
				Msg("stored data is damaged: steno check says more")
		}
		seen = len(all)
		select {
		case <-s.life.Done():
			return
		case <-tick.C:
		}
	}
}

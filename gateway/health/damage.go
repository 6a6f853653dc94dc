package health

import (
	"context"
	"time"

	"github.com/rs/zerolog"

	"steno/gateway/metrics"
	"steno/session/store"
)

// lookEvery is how often the store is asked for damage.
const lookEvery = 2 * time.Second

// WatchDamage logs and counts the damage that the store finds, until ctx ends.
func WatchDamage(ctx context.Context, st store.Store, m *metrics.Metrics, log zerolog.Logger) {
	from, ok := st.(store.Inspected)
	if !ok {
		return
	}
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for seen := 0; ; {
		all := from.Damages()
		for _, d := range all[seen:] {
			m.Damages.Inc()
			log.Error().Str("id", d.Session).Str("damage", d.What).Bool("fatal", d.Fatal).
				Msg("stored data is damaged: steno check says more")
		}
		seen = len(all)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

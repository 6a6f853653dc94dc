package gateway

import (
	"sync"
	"time"

	"github.com/rs/zerolog"

	"steno/gateway/metrics"
)

// failuresEvery is how often at most the failures of an add-on are logged: where a service is away, each utterance fails.
const failuresEvery = time.Minute

// addonFailures tells operators why add-ons fail, which clients are not told. Its method may be called from any goroutine.
type addonFailures struct {
	log     zerolog.Logger
	metrics *metrics.Metrics

	mu    sync.Mutex
	since map[string]*unlogged // by add-on
}

// unlogged is what was not logged of an add-on.
type unlogged struct {
	until    time.Time
	failures int
}

func newAddonFailures(log zerolog.Logger, m *metrics.Metrics) *addonFailures {
	return &addonFailures{log: log, metrics: m, since: map[string]*unlogged{}}
}

// tell counts a failure, and logs it with the number of those that were not logged since the last that was.
func (f *addonFailures) tell(addon string, cause error) {
	f.metrics.AddonFailures.WithLabelValues(addon).Inc()
	if n, due := f.due(addon, time.Now()); due {
		f.log.Warn().Str("addon", addon).Err(cause).Int("unlogged", n).Msg("an add-on failed")
	}
}

// due tells whether to log, and if so how many failures were not.
func (f *addonFailures) due(addon string, now time.Time) (n int, due bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := f.since[addon]
	if s == nil {
		s = &unlogged{}
		f.since[addon] = s
	}
	if now.Before(s.until) {
		s.failures++
		return 0, false
	}
	n = s.failures
	*s = unlogged{until: now.Add(failuresEvery)}
	return n, true
}

package gateway

import (
	"sync"
	"time"

	"github.com/rs/zerolog"

	"steno/gateway/metrics"
)

// failureLogInterval is the least interval between two log lines about one add-on: while its server
// is away, each utterance fails.
const failureLogInterval = time.Minute

// addonFailures logs and counts why add-ons fail, which clients do not see. Its methods may be
// called from any goroutine.
type addonFailures struct {
	log     zerolog.Logger
	metrics *metrics.Metrics

	mu      sync.Mutex
	byAddon map[string]*failureLog
}

// failureLog limits the log lines about one add-on.
type failureLog struct {
	next     time.Time // the earliest time of the next line
	unlogged int       // failures since the last line
}

// newAddonFailures returns the counts of the named add-ons.
func newAddonFailures(addons []string, log zerolog.Logger, m *metrics.Metrics) *addonFailures {
	for _, name := range addons {
		m.AddonFailures.WithLabelValues(name)
	}
	return &addonFailures{log: log, metrics: m, byAddon: map[string]*failureLog{}}
}

// report counts a failure and logs it, with the number of failures since the last line, unless that
// was too recent.
func (f *addonFailures) report(addon string, cause error) {
	f.metrics.AddonFailures.WithLabelValues(addon).Inc()
	if unlogged, ok := f.allowLine(addon, time.Now()); ok {
		f.log.Warn().Str("addon", addon).Err(cause).Int("unlogged", unlogged).Msg("an add-on failed")
	}
}

// allowLine reports whether a failure may be logged now, and how many were not logged since the
// last line.
func (f *addonFailures) allowLine(addon string, now time.Time) (unlogged int, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	l := f.byAddon[addon]
	if l == nil {
		l = &failureLog{}
		f.byAddon[addon] = l
	}
	if now.Before(l.next) {
		l.unlogged++
		return 0, false
	}
	unlogged = l.unlogged
	*l = failureLog{next: now.Add(failureLogInterval)}
	return unlogged, true
}

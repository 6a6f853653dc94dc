package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"steno/cmd/steno/stores"
	"steno/session/store"
	"steno/session/store/valkey/claims"
)

// feedMetrics asks a store that gateways share for its feed's counts when metrics are collected.
// Other stores have none.
type feedMetrics struct {
	source  store.Store
	dropped *prometheus.Desc
}

// Feed returns a collector of what a store does not pass on to followers of sessions.
func Feed(source store.Store) prometheus.Collector {
	return feedMetrics{source, prometheus.NewDesc("steno_feed_dropped_total",
		"Partials and acks that followers of sessions on other gateways did not get, by reason.", []string{"reason"},
		nil)}
}

// Describe implements prometheus.Collector.
func (m feedMetrics) Describe(to chan<- *prometheus.Desc) { to <- m.dropped }

// Collect implements prometheus.Collector.
func (m feedMetrics) Collect(to chan<- prometheus.Metric) {
	shared, ok := stores.Unsealed(m.source).(interface{ Drops() map[claims.Drop]int64 })
	if !ok {
		return
	}
	for reason, n := range shared.Drops() {
		to <- prometheus.MustNewConstMetric(m.dropped, prometheus.CounterValue, float64(n), string(reason))
	}
}

package metrics

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"

	"steno/cmd/steno/stores"
	"steno/session/store"
	"steno/session/store/valkey"
	"steno/session/store/valkey/server"
)

// valkeyMetrics reports figures of the Valkey server when metrics are collected; other stores have
// none. The server is asked every 15 s at most, however often metrics are.
type valkeyMetrics struct {
	source store.Store
	gauges []valkeyGauge
	up     *prometheus.Desc
	calls  *prometheus.Desc
}

// valkeyGauge is a metric of what the server tells.
type valkeyGauge struct {
	desc  *prometheus.Desc
	kind  prometheus.ValueType
	value func(valkey.Figures) float64
}

// Valkey returns a collector of what the Valkey server of a store tells.
func Valkey(source store.Store) prometheus.Collector {
	m := valkeyMetrics{
		source: source,
		up: prometheus.NewDesc("steno_valkey_up",
			"1 where the Valkey server answered when it was last asked, in the last 15 s.", nil, nil),
		calls: prometheus.NewDesc("steno_valkey_call_seconds",
			"From the call of a script of the Valkey server to its answer, waiting for a replica or the disk "+
				"included where valkey.durability asks for it.", nil, nil),
	}
	add := func(name, help string, kind prometheus.ValueType, value func(valkey.Figures) float64) {
		m.gauges = append(m.gauges, valkeyGauge{prometheus.NewDesc("steno_valkey_"+name, help, nil, nil), kind, value})
	}
	add("primary", "1 where the server takes writes.", prometheus.GaugeValue,
		func(f valkey.Figures) float64 { return oneIf(f.Primary) })
	add("memory_bytes", "Memory that the server uses.", prometheus.GaugeValue,
		func(f valkey.Figures) float64 { return float64(f.Memory) })
	add("memory_max_bytes", "maxmemory of the server; 0 for none.", prometheus.GaugeValue,
		func(f valkey.Figures) float64 { return float64(f.MaxMemory) })
	add("evicted_keys_total", "Keys that the server has forgotten for want of memory: never with noeviction.",
		prometheus.CounterValue,
		func(f valkey.Figures) float64 { return float64(f.Evicted) })
	add("aof_enabled", "1 where the server keeps an append-only file.", prometheus.GaugeValue,
		func(f valkey.Figures) float64 { return oneIf(f.AppendOnly) })
	add("aof_failing", "1 where the last write to the append-only file, or its last rewrite, has failed.",
		prometheus.GaugeValue,
		func(f valkey.Figures) float64 { return oneIf(f.AppendFaults) })
	add("aof_delayed_syncs_total",
		"How often the server wrote to its append-only file though the last sync was under way for two seconds.",
		prometheus.CounterValue, func(f valkey.Figures) float64 { return float64(f.DelayedSyncs) })
	add("replicas", "Replicas that are connected to the server.", prometheus.GaugeValue,
		func(f valkey.Figures) float64 { return float64(f.Replicas) })
	add("replica_lag_bytes", "Changes that the replica that lags most has not confirmed.", prometheus.GaugeValue,
		func(f valkey.Figures) float64 { return float64(f.ReplicaLag) })
	return m
}

func oneIf(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// Describe implements prometheus.Collector.
func (m valkeyMetrics) Describe(to chan<- *prometheus.Desc) {
	to <- m.up
	to <- m.calls
	for _, g := range m.gauges {
		to <- g.desc
	}
}

// Collect implements prometheus.Collector.
func (m valkeyMetrics) Collect(to chan<- prometheus.Metric) {
	shared, ok := stores.Unsealed(m.source).(*valkey.Store)
	if !ok {
		return
	}
	upTo, all, took := shared.Latencies()
	buckets := map[float64]uint64{}
	for i, bound := range server.LatencyBounds {
		buckets[bound] = upTo[i]
	}
	to <- prometheus.MustNewConstHistogram(m.calls, all, took.Seconds(), buckets)
	f, err := shared.Figures(context.Background())
	to <- prometheus.MustNewConstMetric(m.up, prometheus.GaugeValue, oneIf(err == nil))
	if err != nil {
		return
	}
	for _, g := range m.gauges {
		to <- prometheus.MustNewConstMetric(g.desc, g.kind, g.value(f))
	}
}

package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// The reasons for [Admission.Refuse].
const (
	RefusedKeyRate     = "key_rate"     // 429: the key creates sessions too fast
	RefusedKeySessions = "key_sessions" // 429: the key has as many unfinished sessions as it may
	RefusedKeySpeakers = "key_speakers" // 429: the key has as many speakers as it may
	RefusedSessions    = "sessions"     // 503: the node has as many unfinished sessions as it may
	RefusedSpeakers    = "speakers"     // 503: the node has as many speakers as it may
	RefusedEngine      = "engine"       // 503: the engine has no headroom
	RefusedGateway     = "gateway"      // 503: the gateway itself is late
	RefusedDraining    = "draining"     // 503: the node is shutting down
)

// What [Admission.Degrade] counts.
const (
	DegradedReplay   = "replay"   // an utterance of a recording that had to wait
	DegradedPartials = "partials" // an utterance of live speech without partials
)

// Admission are the metrics of the admission of live sessions. Its methods may be called from any
// goroutine.
type Admission struct {
	refused  *prometheus.CounterVec
	degraded *prometheus.CounterVec

	speaking, reserved, expected, lag                                       prometheus.Gauge
	capacity, headroom, level, partials, load, wait, finalCost, partialCost *prometheus.GaugeVec // by engine
}

// NodeLoad is what a node's sessions count for.
type NodeLoad struct {
	Speaking, Reserved, Expected float64 // speakers
	Lag                          time.Duration
}

// EngineLoad is the state of an engine. Engines are those of the configuration.
type EngineLoad struct {
	Capacity, Headroom     float64 // speakers
	Level                  int     // of degradation
	Partials               float64 // part of the utterances that have them
	Load                   float64 // part of the slots that live speech keeps busy
	FinalWait              float64 // s
	FinalCost, PartialCost float64 // slots for each speaker
}

func (m *Metrics) newAdmission() {
	by := func(name, help string) *prometheus.GaugeVec {
		v := prometheus.NewGaugeVec(prometheus.GaugeOpts{Namespace: "steno", Subsystem: "admission", Name: name,
			Help: help}, []string{"engine"})
		m.Registry.MustRegister(v)
		return v
	}
	m.Admission = &Admission{
		refused: m.vector("admission_refused_total", "Live sessions refused, by reason.", "reason"),
		degraded: m.vector("admission_degraded_total",
			"Utterances degraded for want of headroom: partials left out, or replay delayed.", "what"),
		speaking: m.gauge("speaking", "Channels of live sessions with open speech."),
		reserved: m.gauge("admission_reserved_speakers",
			"Channels of new sessions that count as speaking and do not speak."),
		expected: m.gauge("admission_expected_speakers",
			"Speakers to be expected: new sessions as speaking, others by their share of speech."),
		lag: m.gauge("admission_lag_seconds",
			"By how much the gateway's timers are late, median of the last 4 s."),
		capacity: by("capacity_speakers",
			"Speakers that the engine carries without partials, as measured; +Inf if unknown."),
		headroom: by("headroom_speakers", "Speakers that the engine can take in addition; +Inf if unknown."),
		level: by("degradation_level",
			"0: normal, 1: recordings pause, 2: partials are thinned out as well, 3: new sessions are refused as "+
				"well."),
		partials: by("partials_ratio", "Part of the utterances that have partials."),
		load:     by("live_load_ratio", "Part of the decoding slots that live speech keeps busy."),
		wait:     by("final_wait_seconds", "How long finals waited for a decoding slot lately."),
		finalCost: by("final_cost_ratio",
			"Decoding slots that a speaker's finals need where the slots are full: their real-time factor, short "+
				"waits for a processor apart."),
		partialCost: by("partial_cost_ratio",
			"Decoding slots that a speaker's partials need where the slots are full: their real-time factor, short "+
				"waits for a processor apart."),
	}
	for _, reason := range []string{
		RefusedKeyRate, RefusedKeySessions, RefusedKeySpeakers, RefusedSessions, RefusedSpeakers, RefusedEngine,
		RefusedGateway, RefusedDraining,
	} {
		m.Admission.refused.WithLabelValues(reason)
	}
	for _, what := range []string{DegradedReplay, DegradedPartials} {
		m.Admission.degraded.WithLabelValues(what)
	}
}

// Refuse counts a session that was refused, by one of the Refused constants.
func (a *Admission) Refuse(reason string) { a.refused.WithLabelValues(reason).Inc() }

// Degrade counts an utterance, by one of the Degraded constants.
func (a *Admission) Degrade(what string) { a.degraded.WithLabelValues(what).Inc() }

// Node sets the gauges of the node.
func (a *Admission) Node(l NodeLoad) {
	a.speaking.Set(l.Speaking)
	a.reserved.Set(l.Reserved)
	a.expected.Set(l.Expected)
	a.lag.Set(l.Lag.Seconds())
}

// Engine sets the gauges of an engine.
func (a *Admission) Engine(name string, l EngineLoad) {
	for v, value := range map[*prometheus.GaugeVec]float64{
		a.capacity: l.Capacity, a.headroom: l.Headroom, a.level: float64(l.Level), a.partials: l.Partials,
		a.load: l.Load,
		a.wait: l.FinalWait, a.finalCost: l.FinalCost, a.partialCost: l.PartialCost,
	} {
		v.WithLabelValues(name).Set(value)
	}
}

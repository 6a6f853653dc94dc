package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// A Stage is a part of the way of a result to the client.
type Stage string

// The stages, in their order. The first four are of finals alone.
const (
	// from receiving the utterance's last audio until it was ready for the recognizer
	StageReceived   Stage = "received"
	StageEndpointed Stage = "endpointed" // from then until endpointing ended the utterance
	StageQueued     Stage = "queued"     // from then until an engine began the final
	StageDecoded    Stage = "decoded"    // from then until the final was here
	// from emitting the result, which may wait to be durable, until it was written to a socket
	StageSent Stage = "sent"
)

// A Result is a kind of result whose latency is measured.
type Result string

// The results.
const (
	ResultPartial Result = "partial"
	ResultFinal   Result = "final"
)

// newStages registers the histogram of all stages, with every label that occurs, so that all are
// there from the start.
func (m *Metrics) newStages() {
	m.stages = prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Namespace: "steno", Name: "result_stage_seconds", Help: "Latency of results by stage.",
		Buckets: prometheus.ExponentialBuckets(0.001, 2, 15),
	}, []string{"result", "stage"})
	m.Registry.MustRegister(m.stages)
	for _, s := range []Stage{StageReceived, StageEndpointed, StageQueued, StageDecoded, StageSent} {
		m.stages.WithLabelValues(string(ResultFinal), string(s))
	}
	m.stages.WithLabelValues(string(ResultPartial), string(StageSent))
}

// Stage measures how long a result took for a stage.
func (m *Metrics) Stage(r Result, s Stage, took time.Duration) {
	m.stages.WithLabelValues(string(r), string(s)).Observe(took.Seconds())
}

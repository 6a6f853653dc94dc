// Package metrics collects figures of the engines and of the store for Prometheus. They are asked
// for when metrics are collected, and not more often than they may be.
package metrics

import (
	"context"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"steno/session/asr/engines"
	"steno/session/asr/riva/enginepb"
	"steno/session/asr/twopass"
)

// figuresWithin bounds how long all engines together may take to answer with their figures.
const figuresWithin = 2 * time.Second

// engineFigures are the counts of engines; [engines.Set] implements it.
type engineFigures interface {
	Figures(ctx context.Context) []engines.Figures
	Drops() map[string]map[twopass.Drop]int64
	TextDrops() map[string]map[string]int64
}

// engineMetrics asks the engines for their figures when metrics are collected.
type engineMetrics struct {
	source  engineFigures
	up      *prometheus.Desc
	engine  map[string]*prometheus.Desc
	model   map[string]*prometheus.Desc
	shed    *prometheus.Desc
	figure  *prometheus.Desc
	dropped *prometheus.Desc
	text    *prometheus.Desc
}

// Engines returns a collector of what the engines count.
func Engines(source engineFigures) prometheus.Collector {
	whose := []string{"engine", "server"}
	about := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("steno_engine_"+name, help, append(whose, labels...), nil)
	}
	m := &engineMetrics{source: source, up: about("up", "Whether the engine tells its figures."),
		engine: map[string]*prometheus.Desc{}, model: map[string]*prometheus.Desc{},
		shed: about("model_shed_total", "Decoding given up under load, by reason.", "model", "reason"),
		figure: about("figure",
			"What only this kind of engine counts: numbers of now, and sums since its start; times in seconds.",
			"figure"),
		dropped: prometheus.NewDesc("steno_engine_partials_dropped_total",
			"Partials of an engine's partials left out, by reason.", []string{"engine", "reason"}, nil),
		text: prometheus.NewDesc("steno_engine_text_dropped_total",
			"Parts of an engine's answers dropped as nothing that was said, or as impossible, by reason.",
			[]string{"engine", "reason"}, nil),
	}
	for name, help := range map[string]string{
		"calls": "Utterances open.", "waiting": "Utterances that wait for their final.",
		"finals_total": "Utterances that got their final.", "abandoned_total": "Utterances given up by their client.",
		"failed_total": "Utterances that failed.", "refused_total": "Utterances refused for want of room.",
		"audio_seconds_total": "Audio of the utterances that got their final.",
		"final_seconds_total": "Time from the end of utterances to their finals, waiting included.",
	} {
		m.engine[name] = about(name, help)
	}
	for name, help := range map[string]string{
		"calls_total": "Decode calls.", "jobs_total": "Pieces of work decoded; by calls: the mean batch.",
		"waiting": "Pieces of work that wait.", "queue_seconds_total": "Time pieces of work waited.",
		"decode_seconds_total":  "Time decode calls took.",
		"audio_seconds_total":   "Audio decoded; decode time by it is the real-time factor.",
		"longest_queue_seconds": "Longest wait of a piece of work.", "longest_decode_seconds": "Longest decode call.",
		"largest_batch": "Most pieces of work in one decode call.",
	} {
		m.model[name] = about("model_"+name, help, "model")
	}
	return m
}

// Describe implements [prometheus.Collector].
func (m *engineMetrics) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{m.up, m.shed, m.figure, m.dropped, m.text} {
		to <- d
	}
	for _, group := range []map[string]*prometheus.Desc{m.engine, m.model} {
		for _, d := range group {
			to <- d
		}
	}
}

// Collect implements [prometheus.Collector].
func (m *engineMetrics) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), figuresWithin)
	defer cancel()
	for _, f := range m.source.Figures(ctx) {
		m.tell(to, f.Figures, f.Engine, f.Server)
	}
	for name, drops := range m.source.Drops() {
		for reason, n := range drops {
			to <- prometheus.MustNewConstMetric(m.dropped, prometheus.CounterValue, float64(n), name, string(reason))
		}
	}
	for name, drops := range m.source.TextDrops() {
		for reason, n := range drops {
			to <- prometheus.MustNewConstMetric(m.text, prometheus.CounterValue, float64(n), name, reason)
		}
	}
}

// tell sends one engine's figures as metrics; f is nil if the engine has not answered.
func (m *engineMetrics) tell(to chan<- prometheus.Metric, f *enginepb.Figures, whose ...string) {
	put := func(d *prometheus.Desc, kind prometheus.ValueType, v float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, kind, v, append(whose[:2:2], labels...)...)
	}
	if f == nil {
		put(m.up, prometheus.GaugeValue, 0)
		return
	}
	put(m.up, prometheus.GaugeValue, 1)
	for name, v := range map[string]float64{
		"calls": float64(f.Calls), "waiting": float64(f.Waiting), "finals_total": float64(f.Finals),
		"abandoned_total": float64(f.Abandoned), "failed_total": float64(f.Failed), "refused_total": float64(f.Refused),
		"audio_seconds_total": f.AudioSeconds, "final_seconds_total": f.FinalSeconds,
	} {
		put(m.engine[name], kindOf(name), v)
	}
	for name, v := range f.Recognizer {
		put(m.figure, prometheus.UntypedValue, v, name)
	}
	for _, model := range f.Models {
		for name, v := range map[string]float64{
			"calls_total": float64(model.Calls), "jobs_total": float64(model.Jobs), "waiting": float64(model.Waiting),
			"queue_seconds_total": model.QueueSeconds, "decode_seconds_total": model.DecodeSeconds,
			"audio_seconds_total": model.AudioSeconds, "longest_queue_seconds": model.LongestQueueSeconds,
			"longest_decode_seconds": model.LongestDecodeSeconds, "largest_batch": float64(model.LargestBatch),
		} {
			put(m.model[name], kindOf(name), v, model.Name)
		}
		for reason, n := range model.Shed {
			put(m.shed, prometheus.CounterValue, float64(n), model.Name, reason)
		}
	}
}

// kindOf returns the kind of a metric: a counter if its name ends like one, else a gauge.
func kindOf(name string) prometheus.ValueType {
	if strings.HasSuffix(name, "_total") {
		return prometheus.CounterValue
	}
	return prometheus.GaugeValue
}

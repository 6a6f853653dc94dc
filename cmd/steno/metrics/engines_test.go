package metrics

import (
	"context"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"steno/session/asr/engines"
	"steno/session/asr/riva/enginepb"
	"steno/session/asr/twopass"
)

// figuresCollector collects the figures of one engine and those of all others.
type figuresCollector struct {
	*engineMetrics
	figures *enginepb.Figures
}

func (e figuresCollector) Collect(to chan<- prometheus.Metric) {
	e.engineMetrics.Collect(to)
	e.tell(to, e.figures, "sphinx", "")
}

// drops are the partials left out by one pair of engines.
type drops map[string]map[twopass.Drop]int64

func (drops) Figures(context.Context) []engines.Figures  { return nil }
func (d drops) Drops() map[string]map[twopass.Drop]int64 { return d }
func (drops) TextDrops() map[string]map[string]int64 {
	return map[string]map[string]int64{"far": {"loop": 2}}
}

// The pedantic registry expects each metric as it was described, and once.
func TestEngineMetrics(t *testing.T) {
	registry := prometheus.NewPedanticRegistry()
	if err := registry.Register(figuresCollector{
		Engines(drops{"both": {twopass.DropRefused: 1}}).(*engineMetrics),
		&enginepb.Figures{
			Finals: 3, Recognizer: map[string]float64{"vocabularies_loaded": 5, "vocabulary_time": 0.25},
			Models: []*enginepb.ModelFigures{{Name: "m", LargestBatch: 4, Shed: map[string]int64{"late": 2}}},
		},
	}); err != nil {
		t.Fatal(err)
	}
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			name := f.GetName()
			for _, l := range m.GetLabel() {
				name += " " + l.GetValue()
			}
			got[name] = m.GetCounter().GetValue() + m.GetGauge().GetValue() + m.GetUntyped().GetValue()
		}
	}
	for name, want := range map[string]float64{ // labels are sorted by their names
		"steno_engine_up sphinx ": 1, "steno_engine_finals_total sphinx ": 3,
		"steno_engine_figure sphinx vocabularies_loaded ": 5, "steno_engine_figure sphinx vocabulary_time ": 0.25,
		"steno_engine_model_largest_batch sphinx m ": 4, "steno_engine_model_shed_total sphinx m late ": 2,
		"steno_engine_partials_dropped_total both refused": 1, "steno_engine_text_dropped_total far loop": 2,
	} {
		if v, ok := got[name]; !ok || v != want {
			t.Errorf("%s is %v, want %v; all: %v", name, v, want, got)
		}
	}
}

package main

import (
	"testing"
	"testing/synctest"

	"github.com/prometheus/client_golang/prometheus"

	"steno/session/asr"
	"steno/session/asr/riva/enginepb"
	"steno/session/asr/scripted"
	"steno/session/asr/twopass"
)

// telling collects the figures of one engine beside those of all others.
type telling struct {
	*engineMetrics
	figures *enginepb.Figures
}

func (e telling) Collect(to chan<- prometheus.Metric) {
	e.engineMetrics.Collect(to)
	e.tell(to, e.figures, "sphinx", "")
}

// refusing is two recognizers of which the one for partials has refused an utterance: its language was not told.
func refusing(t *testing.T) *twopass.Recognizer {
	words := scripted.New(scripted.Config{})
	pair := twopass.New(told{words}, words)
	synctest.Test(t, func(t *testing.T) {
		u, err := pair.Open(t.Context(), asr.Params{Partials: true})
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if err := u.End(); err != nil {
			t.Fatal(err)
		}
		if _, err := u.Recv(); err != nil {
			t.Fatal(err)
		}
		if err := pair.Close(); err != nil {
			t.Fatal(err)
		}
	})
	return pair
}

// The registry is a strict one: it wants each metric as it was described, and once.
func TestEngineMetrics(t *testing.T) {
	pair := refusing(t)
	registry := prometheus.NewPedanticRegistry()
	if err := registry.Register(telling{
		newEngineMetrics(&recognition{pairs: map[string]*twopass.Recognizer{"both": pair}}),
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
		"steno_engine_partials_dropped_total both refused": 1,
	} {
		if v, ok := got[name]; !ok || v != want {
			t.Errorf("%s is %v, want %v; all: %v", name, v, want, got)
		}
	}
}

package recovery_test

import (
	"bytes"
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"steno/gateway/metrics"
	"steno/gateway/recovery"
)

// A panic is recovered, counted by where it was and logged with its stack; other errors are not.
func TestRun(t *testing.T) {
	var log bytes.Buffer
	m := metrics.New()
	r := recovery.New(zerolog.New(&log), m.Panics)
	if !r.Run(recovery.Task, "a", func() {}) {
		t.Error("work that returns is reported as a panic")
	}
	r.Report(recovery.Task, "a", errors.New("no panic"))
	if log.Len() > 0 {
		t.Errorf("logged without a panic: %s", &log)
	}
	if r.Run(recovery.Job, "b", func() { panic("boom") }) {
		t.Error("a panic is not reported")
	}
	for _, part := range []string{`"in":"job"`, `"id":"b"`, "panic of type string", "TestRun"} {
		if !strings.Contains(log.String(), part) {
			t.Errorf("log lacks %s: %s", part, &log)
		}
	}
	families, err := m.Registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	counted := map[string]float64{}
	for _, f := range families {
		for _, metric := range f.GetMetric() {
			if n := metric.GetCounter().GetValue(); f.GetName() == "steno_panics_total" && n > 0 {
				counted[metric.GetLabel()[0].GetValue()] = n
			}
		}
	}
	if !maps.Equal(counted, map[string]float64{recovery.Job: 1}) {
		t.Errorf("counted %v", counted)
	}
}

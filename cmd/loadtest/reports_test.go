package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"steno/loadtest"
)

// saved writes a report of ten finals, changed, and returns its path.
func saved(t *testing.T, name string, change func(*loadtest.Report)) string {
	t.Helper()
	r := &loadtest.Report{Format: 1, Sessions: 2, Wall: 10}
	r.Load.URL, r.Load.Duration = "http://one", 10
	r.Delays.Final = loadtest.Delay{Count: 10, P50: 0.1, P95: 0.2, P99: 0.3}
	r.Delays.Ack = loadtest.Delay{Count: 10, P50: 0.01, P95: 0.02, P99: 0.03}
	if change != nil {
		change(r)
	}
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestCompareExitCodes(t *testing.T) {
	old := saved(t, "old.json", nil)
	for _, tt := range []struct {
		name   string
		change func(*loadtest.Report)
		code   int
		want   string
	}{
		{"the same", nil, 0, "+0.0 %"},
		{"finals are gone", func(r *loadtest.Report) { r.Delays.Final = loadtest.Delay{} }, exitMissed,
			"final 10 none - WORSE"},
		{"saturated", func(r *loadtest.Report) { r.Generator.Saturated = "late" }, exitSaturated,
			"warning: the generator of the newer report"},
		{"interrupted", func(r *loadtest.Report) { r.Interrupted = true }, exitInterrupted,
			"warning: the newer run was interrupted"},
		{"another load", func(r *loadtest.Report) { r.Sessions = 3 }, 0, "warning: the loads differ: sessions 2 and 3"},
		{"another server", func(r *loadtest.Report) { r.Load.URL = "http://two" }, 0,
			"note: the servers differ: http://one and http://two"},
	} {
		var out, errs strings.Builder
		err := run(t.Context(), []string{"compare", old, saved(t, "new.json", tt.change)}, &out, &errs)
		printed := strings.Join(strings.Fields(out.String()), " ")
		if exitCode(err) != tt.code || !strings.Contains(printed, tt.want) {
			t.Errorf("%s: exit code %d, error %v, printed\n%s", tt.name, exitCode(err), err, &out)
		}
	}
}

func TestMergeExitCodes(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*loadtest.Report)
		code   int
		want   string
	}{
		{"another run", func(r *loadtest.Report) { r.Sessions = 3 }, 0, ""},
		{"the same", nil, exitUsage, "are the same report"},
		{"another server", func(r *loadtest.Report) { r.Load.URL = "http://two" }, exitUsage,
			"http://one and http://two"},
		{"failed", func(r *loadtest.Report) { r.Errors = map[string]int{"x": 1} }, exitErrors, "not every session"},
		{"saturated", func(r *loadtest.Report) { r.Generator.Lag = 1 }, exitSaturated, "saturated"},
		{"interrupted", func(r *loadtest.Report) { r.Interrupted = true }, exitInterrupted, "interrupted"},
	} {
		var out, errs strings.Builder
		err := run(t.Context(), []string{"merge", saved(t, "a.json", nil), saved(t, "b.json", tt.change)}, &out, &errs)
		if exitCode(err) != tt.code || err != nil && !strings.Contains(err.Error(), tt.want) || errs.Len() > 0 {
			t.Errorf("%s: exit code %d, error %v, printed %s", tt.name, exitCode(err), err, &errs)
		}
	}
}

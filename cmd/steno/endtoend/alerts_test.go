package endtoend_test

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"steno/cmd/cmdtest"
	"steno/gateway/metrics"
)

// routine are the values of labels that are counted where nothing is wrong, by metric.
var routine = map[string][]string{
	"steno_sessions_ended_total": {"0", "408", metrics.Cancelled},
	"steno_admission_refused_total": {metrics.RefusedKeyRate, metrics.RefusedKeySessions, metrics.RefusedKeySpeakers,
		metrics.RefusedDraining},
	"steno_dropped_total": {
		metrics.DropPartialReplaced, metrics.DropSubscriberStale, metrics.DropLate, metrics.DropCallbackEnd,
	},
}

// alarming are values of those labels that alerts must count.
var alarming = map[string][]string{
	"steno_sessions_ended_total": {"500", "503", "507"},
	"steno_admission_refused_total": {metrics.RefusedSessions, metrics.RefusedSpeakers, metrics.RefusedEngine,
		metrics.RefusedGateway},
	"steno_dropped_total": {
		metrics.DropPartialFull, metrics.DropOverflow, metrics.DropStalled, metrics.DropUnfinished,
		metrics.DropOverload, metrics.DropCallbackFull,
		metrics.DropAnswerStalled, metrics.DropBodyStalled, metrics.DropSubscriberLag, metrics.DropSubscriberFull,
		metrics.DropWaiting,
	},
}

var (
	query     = regexp.MustCompile(`(steno_[a-z_]+)(?:\{([^}]*)\})?`)
	condition = regexp.MustCompile(`[a-z_]+(=|!=|=~|!~)"([^"]*)"`)
)

// TestRoutineWakesNobody checks that no alert counts what is routine, and that alerts count the
// rest.
func TestRoutineWakesNobody(t *testing.T) {
	looked := map[string]bool{}
	for _, rule := range alerts(t) {
		for _, q := range query.FindAllStringSubmatch(rule.Expr, -1) {
			for _, value := range routine[q[1]] {
				looked[q[1]] = true
				if selects(t, q[2], value) {
					t.Errorf("%s counts %s of %q", rule.Alert, q[1], value)
				}
			}
			for _, value := range alarming[q[1]] {
				if !selects(t, q[2], value) {
					t.Errorf("%s does not count %s of %q", rule.Alert, q[1], value)
				}
			}
		}
	}
	if len(looked) != len(routine) {
		t.Errorf("only %v have alerts", looked)
	}
}

// alert is a rule of Prometheus.
type alert struct{ Alert, Expr string }

// alerts are those that OPERATIONS.md has.
func alerts(t *testing.T) (all []alert) {
	t.Helper()
	for _, b := range cmdtest.Blocks(t, "../OPERATIONS.md") {
		if b.Kind != "prometheus" {
			continue
		}
		var file struct{ Groups []struct{ Rules []alert } }
		if err := yaml.Unmarshal([]byte(b.Text), &file); err != nil {
			t.Fatal(err)
		}
		for _, g := range file.Groups {
			all = append(all, g.Rules...)
		}
	}
	return all
}

// selects reports whether conditions on the one label of a metric allow a value.
func selects(t *testing.T, conditions, value string) bool {
	t.Helper()
	for _, c := range condition.FindAllStringSubmatch(conditions, -1) {
		equal := c[2] == value
		if strings.HasSuffix(c[1], "~") {
			equal = regexp.MustCompile("^(?:" + c[2] + ")$").MatchString(value)
		}
		if equal == strings.HasPrefix(c[1], "!") {
			return false
		}
	}
	return true
}

// TestMeasuredAdmissionIsNamed: where dashboard and runbook use what exists only with measured
// admission, they state so.
func TestMeasuredAdmissionIsNamed(t *testing.T) {
	const setting = "admission.headroom"
	measured := regexp.MustCompile(strings.Join(measuredGauges(t), "|"))
	text, err := os.ReadFile("../../../gateway/metrics/dashboard.json")
	if err != nil {
		t.Fatal(err)
	}
	var d struct {
		Panels []struct {
			Title, Description string
			Targets            []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	for _, p := range d.Panels {
		for _, target := range p.Targets {
			if measured.MatchString(target.Expr) && !strings.Contains(p.Description, setting) {
				t.Errorf("the panel %s does not name %s", p.Title, setting)
			}
		}
	}
	page, err := os.ReadFile("../OPERATIONS.md")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(page)) {
		if measured.MatchString(line) && !strings.Contains(line, setting) {
			t.Errorf("OPERATIONS.md does not name %s in %q", setting, line)
		}
	}
}

// measuredGauges are the gauges of engines, which are there once an engine was measured.
func measuredGauges(t *testing.T) (measured []string) {
	t.Helper()
	m := metrics.New()
	var others []string
	before, err := m.Registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range before {
		others = append(others, f.GetName())
	}
	m.Admission.Engine("sphinx", metrics.EngineLoad{})
	after, err := m.Registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range after {
		if !slices.Contains(others, f.GetName()) {
			measured = append(measured, f.GetName())
		}
	}
	if len(measured) == 0 {
		t.Fatal("there are none")
	}
	return measured
}

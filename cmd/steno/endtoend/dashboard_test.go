package endtoend_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"steno/cmd/cmdtest"
)

// dashboard is what these tests read of Grafana's file.
type dashboard struct {
	Panels []struct {
		Title   string
		Targets []struct{ Expr string }
	}
	Templating struct {
		List []struct {
			Name  string
			Query json.RawMessage
		}
	}
}

var (
	selector = regexp.MustCompile(`([a-z_][a-z0-9_]*)\{([^}]*)\}`)
	matcher  = regexp.MustCompile(`([a-z_]+)(?:=|!=|=~|!~)"`)
	grouping = regexp.MustCompile(`by \(([^)]*)\)`)
)

// TestDashboard checks that a running gateway has every metric, with every label, that the
// dashboard asks for.
func TestDashboard(t *testing.T) {
	needRealEngine(t)
	text, err := os.ReadFile("../../../gateway/metrics/dashboard.json")
	if err != nil {
		t.Fatal(err)
	}
	var d dashboard
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	wants := map[string][]string{} // labels by metric
	for _, p := range d.Panels {
		for _, target := range p.Targets {
			selectors := selector.FindAllStringSubmatch(target.Expr, -1)
			if len(selectors) == 0 {
				t.Errorf("%s: no metric in %q", p.Title, target.Expr)
			}
			for _, s := range selectors {
				wants[s[1]] = append(wants[s[1]], labelsOf(target.Expr, s[2])...)
			}
		}
	}
	if len(wants) < 30 || len(d.Templating.List) != 2 {
		t.Fatalf("only %d metrics, %d variables", len(wants), len(d.Templating.List))
	}
	g := gatewayToBe(t, build(t), realEngine(), "STENO_ADMISSION_HEADROOM=true")
	admin := cmdtest.Address(t)
	g.env = append(g.env, "STENO_ADMIN="+admin)
	if err := g.start(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), readyWithin)
	defer cancel()
	for { // the engine is measured some time after it is ready
		missing, err := missingMetrics(ctx, "http://"+admin+"/metrics", wants)
		if err == nil && len(missing) == 0 {
			return
		}
		select {
		case <-ctx.Done():
			t.Fatalf("the gateway does not have %q, %v", missing, err)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// labelsOf returns the labels that a query expects of a metric, without those that Prometheus adds.
func labelsOf(query, matchers string) (labels []string) {
	for _, m := range matcher.FindAllStringSubmatch(matchers, -1) {
		labels = append(labels, m[1])
	}
	for _, by := range grouping.FindAllStringSubmatch(query, -1) {
		labels = append(labels, strings.Split(by[1], ", ")...)
	}
	return slices.DeleteFunc(labels, func(l string) bool { return l == "instance" })
}

// missingMetrics returns which metrics, or metrics with which label, are not among those at the
// address.
func missingMetrics(ctx context.Context, url string, wants map[string][]string) (missing []string, err error) {
	resp, err := response(ctx, url)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	has := map[string]string{} // the first sample's labels, by metric
	for line := range strings.Lines(string(text)) {
		name, rest, labelled := strings.Cut(line, "{")
		if !labelled {
			name, _, _ = strings.Cut(line, " ")
			rest = ""
		}
		if has[name] == "" {
			has[name] = "," + rest
		}
	}
	for name, labels := range wants {
		if has[name] == "" {
			missing = append(missing, name)
			continue
		}
		for _, l := range labels {
			if !strings.Contains(has[name], fmt.Sprintf(",%s=", l)) {
				missing = append(missing, name+" by "+l)
			}
		}
	}
	return missing, nil
}

package endtoend_test

import (
	"fmt"
	"html/template"
	"os"
	"slices"
	"strings"
	"time"
)

// soakPage is the report of a long run: one file that needs nothing else.
var soakPage = template.Must(template.New("soak").Parse(`<!doctype html><html lang="en"><meta charset="utf-8">
<title>steno: {{.Length}} of sessions</title>
<style>body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse}td,th{padding:.2rem .8rem;text-align:right;border-bottom:1px solid #ccc}
td:first-child,th:first-child{text-align:left}.bad{color:#b00}svg{width:100%;height:8rem;background:#f6f6f6}</style>
<h1>{{.Length}} of sessions</h1>
<table><tr><th>client<th>sessions<th>cut by faults<th>refused<th>with other words</tr>
{{range .Kinds}}<tr><td>{{.Name}}<td>{{.Sessions}}<td>{{.Cut}}<td>{{.Refused}}<td>{{len .Wrong}}</tr>
{{end}}</table>
{{range .Measures}}<h2>{{.Name}}</h2><p{{if .Grows}} class="bad"{{end}}>{{.Trend}}; {{.Least}} to {{.Most}}</p>
<svg viewBox="0 0 1000 100" preserveAspectRatio="none"><polyline fill="none" stroke="#258" points="{{.Line}}"/></svg>
{{end}}<h2>Faults</h2><ul>{{range .Faults}}<li>{{.}}</li>{{end}}</ul></html>
`))

// soakFigure is a measure as the report shows it.
type soakFigure struct {
	Name, Trend, Least, Most, Line string
	Grows                          bool
}

func soakFigureOf(m *soakMeasure) soakFigure {
	growth, deviation := m.trend()
	least, most := slices.Min(m.Values), slices.Max(m.Values)
	var line strings.Builder
	for i, v := range m.Values {
		fmt.Fprintf(&line, "%.1f,%.1f ", 1000*m.Times[i]/m.Times[len(m.Times)-1], 100-100*v/max(most, 1))
	}
	return soakFigure{m.Name, fmt.Sprintf("%+.2f %% ± %.2f in the later two thirds", growth, deviation),
		fmt.Sprintf("%.0f", least), fmt.Sprintf("%.0f", most), line.String(), m.grows()}
}

func writeSoakReport(path string, length time.Duration, kinds []*soakCount, measures []*soakMeasure,
	faults []string) error {
	var figures []soakFigure
	for _, m := range measures {
		figures = append(figures, soakFigureOf(m))
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := soakPage.Execute(f, map[string]any{"Length": length, "Kinds": kinds, "Measures": figures,
		"Faults": faults}); err != nil {
		_ = f.Close()
		return err
	}
	return f.Close()
}

package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"steno/cmd/cmdtest"
	"steno/cmd/steno/config"
	"steno/cmd/steno/recognizers"
	"steno/session/asr/asrtest/corpus"
	"steno/session/asr/local"
)

// BenchmarkWords prints what people get of this machine's engines, in tables of one column for
// each: Moonshine and the models of sherpa-onnx where STENO_TEST_MODELS has any, and PocketSphinx.
// All figures are of sessions with an engine in a process of its own, as the gateway has them, on
// the recordings of STENO_TEST_AUDIO and STENO_TEST_EAR. What is paced takes its time; a table and
// an engine are chosen by -bench Words/errors/moonshine. STENO_BENCH_CLIPS bounds how many
// recordings of each kind are taken, for a quick look.
func BenchmarkWords(b *testing.B) {
	for _, part := range []struct {
		name    string
		measure func(*testing.B, *figures)
	}{
		{"errors", measureErrors},
		{"single", measureSingleWords},
		{"invented", measureInvented},
		{"names", measureNames},
		{"partials", measurePartials},
		{"finals", measureFinals},
		{"ten", measureTen},
		{"others", measureOthers},
	} {
		b.Run(part.name, func(b *testing.B) {
			var f figures
			b.Cleanup(func() { f.print(os.Stdout) })
			part.measure(b, &f)
		})
	}
}

// engineNames are the engines that are compared.
var engineNames = []string{"sherpa", "moonshine", "sphinx"}

// wordEngine is an engine under test.
type wordEngine struct {
	*local.Recognizer
	name     string
	variants bool // a final can be chosen from more decodes
}

// eachEngine measures each engine, in a process that is started for that.
func eachEngine(b *testing.B, measure func(*testing.B, wordEngine)) {
	for _, name := range engineNames {
		b.Run(name, func(b *testing.B) {
			measure(b, wordEngine{startEngine(b, name), name, name == "moonshine"})
		})
	}
}

// startEngine starts an engine as the gateway would, with the models of STENO_TEST_MODELS. It skips
// the test where the engine cannot be had.
func startEngine(t testing.TB, name string) *local.Recognizer {
	t.Helper()
	cfg, err := config.Load("", nil)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Engines.Models = os.Getenv("STENO_TEST_MODELS")
	program, err := recognizers.Setup{Config: cfg}.Local(name)
	if err != nil {
		t.Fatal(err)
	}
	if name != "sphinx" && (cfg.Engines.Models == "" || !program.Enabled()) {
		t.Skipf("STENO_TEST_MODELS has no models for %s", name)
	}
	program.Binary = cmdtest.Build(t, "steno-engine")
	engine, err := local.Start(context.Background(), *program)
	if err != nil {
		t.Skipf("engine %s: %v", name, err)
	}
	t.Cleanup(func() { _ = engine.Close() })
	if list, err := engine.Models(context.Background()); name == "sherpa" && (err != nil || len(list) == 0) {
		t.Skipf("STENO_TEST_MODELS has no recognizer for sherpa: error %v", err)
	}
	return engine
}

// clipsOf returns the wanted recordings of the folder that an environment variable names, or the
// first few of them.
func clipsOf(t testing.TB, variable string, want func(corpus.Entry) bool) []corpus.Clip {
	t.Helper()
	most, _ := strconv.Atoi(cmp.Or(os.Getenv("STENO_BENCH_CLIPS"), "1000000"))
	return corpus.ReadFolder(t, variable, func(e corpus.Entry) bool {
		if most <= 0 || !want(e) {
			return false
		}
		most--
		return true
	})
}

// figures is a table under way: a column for each engine, in the order in which they come.
type figures struct {
	title   string
	notes   []string // how the figures were taken
	columns []string
	rows    []string
	cells   map[[2]string]string // by row and column
}

// explain sets the title and the notes on how the figures were taken.
func (f *figures) explain(title string, notes ...string) { f.title, f.notes = title, notes }

// add adds a figure to an engine's column.
func (f *figures) add(row, column, format string, args ...any) {
	if f.cells == nil {
		f.cells = map[[2]string]string{}
	}
	if !slices.Contains(f.columns, column) {
		f.columns = append(f.columns, column)
	}
	if !slices.Contains(f.rows, row) {
		f.rows = append(f.rows, row)
	}
	f.cells[[2]string{row, column}] = fmt.Sprintf(format, args...)
}

// print prints the table, if anything was measured.
func (f *figures) print(to *os.File) {
	if len(f.rows) == 0 {
		return
	}
	width := func(list []string) (n int) {
		for _, s := range list {
			n = max(n, utf8.RuneCountInString(s))
		}
		return n
	}
	cells := slices.Clone(f.columns)
	for _, c := range f.cells {
		cells = append(cells, c)
	}
	label, cell := width(append(f.rows, f.title)), width(cells)+2
	var out strings.Builder
	line := func(first string, of func(column string) string) {
		fmt.Fprintf(&out, "%-*s", label, first)
		for _, c := range f.columns {
			fmt.Fprintf(&out, "%*s", cell, of(c))
		}
		out.WriteByte('\n')
	}
	out.WriteByte('\n')
	line(f.title, func(column string) string { return column })
	for _, row := range f.rows {
		line(row, func(column string) string { return cmp.Or(f.cells[[2]string{row, column}], "-") })
	}
	for _, n := range f.notes {
		out.WriteString("  " + n + "\n")
	}
	fmt.Fprint(to, out.String())
}

package dialect_test

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"

	"steno/gateway/dialect"
)

// What a Writer writes reads back as what it was given, also when more is written and when its
// memory is used again.
func TestWriter(t *testing.T) {
	var w dialect.Writer
	for _, text := range []string{"", `a "b" \ <c>`, "\x01\n\u2028", "é\xff𝄞", "ends in {", "["} {
		w.Reset()
		first := w.Object(func() { w.String("text", text) })
		before := string(first)
		var got any
		if err := json.Unmarshal(w.Object(func() {
			w.String("text", text)
			w.Member("none", func() {})
			w.List("words", func() {
				w.String("", text)
				w.Member("", func() { w.Float("at", 1.25); w.Bool("final", true) })
				w.List("", func() {})
				w.Int("", -3)
			})
			w.Float("odd", math.NaN())
		}), &got); err != nil {
			t.Fatal(err)
		}
		read := string([]rune(text)) // what is not UTF-8 is replaced
		want := map[string]any{
			"text": read, "none": map[string]any{}, "odd": 0.0,
			"words": []any{read, map[string]any{"at": 1.25, "final": true}, []any{}, -3.0},
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
		if string(first) != before {
			t.Errorf("%s became %s", before, first)
		}
	}
}

// Once its memory is large enough, nothing is allocated.
func TestWriterAllocatesNothing(t *testing.T) {
	var w dialect.Writer
	write := func() {
		w.Reset()
		w.Object(func() {
			w.List("words", func() {
				for i := range 10 {
					w.Member("", func() { w.Int("n", i); w.String("word", "and") })
				}
			})
		})
	}
	if n := testing.AllocsPerRun(100, write); n > 0 {
		t.Errorf("%v allocations for each message", n)
	}
}

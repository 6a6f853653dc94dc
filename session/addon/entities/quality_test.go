package entities_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"steno/messages"
	"steno/session/addon/entities"
)

// sample is an annotated sentence.
type sample struct {
	words []messages.Word
	want  []entities.Found // type and range only
}

// parse reads "call [PHONE_NUMBER:four one five]".
func parse(t *testing.T, line string) sample {
	t.Helper()
	var s sample
	kind, from := "", 0
	for _, f := range strings.Fields(line) {
		if rest, ok := strings.CutPrefix(f, "["); ok {
			kind, f, ok = strings.Cut(rest, ":")
			if !ok {
				t.Fatalf("no type in %q", line)
			}
			from = len(s.words)
		}
		if at := strings.IndexByte(f, ']'); at >= 0 {
			f = f[:at] + f[at+1:]
			s.want = append(s.want, entities.Found{Type: kind, From: from, To: len(s.words) + 1})
		}
		s.words = append(s.words, messages.Word{Word: " " + f, Start: float64(len(s.words)),
			End: float64(len(s.words)) + 0.9})
	}
	return s
}

func lines(t *testing.T, name string) []string {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for line := range strings.Lines(string(b)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			list = append(list, line)
		}
	}
	return list
}

// samples are those for development (half 0) or those held out (half 1).
func samples(t *testing.T, half int) []sample {
	t.Helper()
	var list []sample
	for i, line := range lines(t, "handwritten.txt") {
		if i%2 == half {
			list = append(list, parse(t, line))
		}
	}
	values := map[string][]string{}
	for _, line := range lines(t, "values.txt") {
		kind, all, _ := strings.Cut(line, ":")
		for i, v := range strings.Split(all, "|") {
			if i%2 == half {
				values[kind] = append(values[kind], strings.TrimSpace(v))
			}
		}
	}
	for i, line := range lines(t, "templates.txt") {
		if i%2 == half {
			list = append(list, filled(t, line, values)...)
		}
	}
	return list
}

func filled(t *testing.T, line string, values map[string][]string) []sample {
	t.Helper()
	head, rest, _ := strings.Cut(line, "{")
	gap, tail, _ := strings.Cut(rest, "}")
	kind := strings.TrimRight(gap, "2")
	var list []sample
	for _, v := range values[gap] {
		prefix := ""
		if gap == "DOB" {
			if after, ok := strings.CutPrefix(v, "on "); ok {
				prefix, v = "on ", after
			}
		}
		list = append(list, parse(t, head+prefix+"["+kind+":"+v+"]"+tail))
	}
	if len(list) == 0 {
		t.Fatalf("no values for %q", line)
	}
	return list
}

// score counts hits and misses of a type; an entity counts only with its exact range and type.
type score struct{ right, missed, wrong int }

func (s score) recall() float64    { return ratio(s.right, s.right+s.missed) }
func (s score) precision() float64 { return ratio(s.right, s.right+s.wrong) }

func ratio(a, b int) float64 {
	if b == 0 {
		return 1
	}
	return float64(a) / float64(b)
}

func judge(t *testing.T, list []sample, show bool) map[string]score {
	t.Helper()
	scores := map[string]score{}
	for _, s := range list {
		var got []entities.Found
		for _, f := range entities.Find(s.words, "en") {
			got = append(got, entities.Found{Type: f.Type, From: f.From, To: f.To})
		}
		for _, w := range s.want {
			c := scores[w.Type]
			if slices.Contains(got, w) {
				c.right++
			} else {
				c.missed++
			}
			scores[w.Type] = c
		}
		for _, g := range got {
			if !slices.Contains(s.want, g) {
				c := scores[g.Type]
				c.wrong++
				scores[g.Type] = c
			}
		}
		if show && !slices.Equal(got, s.want) {
			t.Logf("%s\n\twant %s\n\tgot  %s", text(s.words, 0, len(s.words)), named(s.words, s.want),
				named(s.words, got))
		}
	}
	return scores
}

func text(words []messages.Word, from, to int) string {
	var b strings.Builder
	for _, w := range words[from:to] {
		b.WriteString(w.Word)
	}
	return strings.TrimSpace(b.String())
}

func named(words []messages.Word, list []entities.Found) string {
	var b strings.Builder
	for _, f := range list {
		fmt.Fprintf(&b, "[%s %s] ", f.Type, text(words, f.From, f.To))
	}
	return b.String()
}

func TestQuality(t *testing.T) {
	for half, name := range []string{"development", "held out"} {
		t.Run(name, func(t *testing.T) {
			list := samples(t, half)
			// The sentences held out are shown only on demand, so that nobody works towards them by
			// accident.
			scores := judge(t, list, half == 0 || os.Getenv("STENO_SHOW_HELD_OUT") != "")
			var table strings.Builder
			var all score
			for _, kind := range entities.Implemented() {
				s := scores[kind]
				fmt.Fprintf(&table, "%-30s %4d right %3d missed %3d wrong   recall %.2f precision %.2f\n", kind,
					s.right, s.missed, s.wrong, s.recall(), s.precision())
				if s.right == 0 || s.recall() < 0.95 || s.precision() < 0.9 {
					t.Errorf("%s: recall %.2f, precision %.2f, %d samples", kind, s.recall(), s.precision(),
						s.right+s.missed)
				}
				all = score{all.right + s.right, all.missed + s.missed, all.wrong + s.wrong}
			}
			t.Logf("%s, %d sentences, recall %.3f, precision %.3f\n%s", name, len(list), all.recall(), all.precision(),
				table.String())
		})
	}
}

func TestEnoughSamples(t *testing.T) {
	if n := len(lines(t, "handwritten.txt")); n < 150 {
		t.Errorf("%d handwritten sentences", n)
	}
	if n := len(samples(t, 0)) + len(samples(t, 1)); n < 500 {
		t.Errorf("%d sentences", n)
	}
}

func TestDialogue(t *testing.T) {
	var list []sample
	for _, line := range lines(t, "dialogue.txt") {
		list = append(list, parse(t, line))
	}
	var all score
	for kind, s := range judge(t, list, os.Getenv("STENO_SHOW_HELD_OUT") != "") {
		if s.missed+s.wrong > 0 {
			t.Logf("%s: %d right, %d missed, %d wrong", kind, s.right, s.missed, s.wrong)
		}
		all = score{all.right + s.right, all.missed + s.missed, all.wrong + s.wrong}
	}
	t.Logf("recall %.3f, precision %.3f, %d entities", all.recall(), all.precision(), all.right+all.missed)
	if all.recall() < 0.95 || all.precision() < 0.9 {
		t.Error("below 0.95 and 0.9")
	}
}

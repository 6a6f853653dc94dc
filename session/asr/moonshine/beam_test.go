package moonshine

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"steno/session/asr/moonshine/network"
	"steno/session/asr/whole"
)

// grammar is a decoder whose texts have given probabilities: after each beginning, those of the
// next tokens.
type grammar struct {
	next  map[string]map[int]float64
	texts [][]int
}

func (g *grammar) Take(ids []int) ([]float32, error) {
	g.texts = [][]int{slices.Clone(ids)}
	return g.logits(), nil
}

func (g *grammar) Truncate(int) {}

func (g *grammar) Branch(from, ids []int) ([]float32, error) {
	var texts [][]int
	for i, f := range from {
		texts = append(texts, append(slices.Clone(g.texts[f]), ids[i]))
	}
	g.texts = texts
	return g.logits(), nil
}

func (g *grammar) logits() (all []float32) {
	for _, ids := range g.texts {
		row := make([]float32, len(alphabet))
		for i := range row {
			row[i] = -30
		}
		for id, p := range g.next[written(ids[1:])] {
			row[id] = float32(math.Log(p))
		}
		all = append(all, row...)
	}
	return all
}

func written(ids []int) (text string) {
	for _, id := range ids {
		text += string(alphabet.text(id))
	}
	return text
}

// token returns the token of a letter, a space before it included.
func token(letter string) int { return spelled(letter)[0] }

// The likeliest beginning may lead to an improbable text.
func TestABeamFindsTextsThatBeginImprobably(t *testing.T) {
	g := &grammar{next: map[string]map[int]float64{
		"":      {token(" a"): 0.6, token(" b"): 0.4},
		" a":    {token("x"): 0.3, token("y"): 0.3, token("z"): 0.3},
		" ax":   {network.End: 1},
		" ay":   {network.End: 1},
		" az":   {network.End: 1},
		" b":    {token("c"): 1},
		" bc":   {network.End: 0.9, token("d"): 0.1},
		" bcd":  {network.End: 1},
		" bcdx": {},
	}}
	b := beam{net: g, width: len(alphabet), limit: 20}
	h, err := b.run()
	if err != nil {
		t.Fatal(err)
	}
	if got := written(h.ids); got != " bc" || h.stop != stopEnd || math.Abs(math.Exp(h.sum()+h.end)-0.36) > 0.01 {
		t.Errorf("%q, %v, probability %.2f", got, h.stop, math.Exp(h.sum()+h.end))
	}
	if r := h.rival; r == nil || !strings.HasPrefix(written(r.ids), " a") || r.total() >= h.total() {
		t.Errorf("beside it: %+v", r)
	}
}

// A text without doubt is that of the search without a beam.
func TestABeamOfPlainText(t *testing.T) {
	for _, text := range []string{"", " a", " the quick brown fox jumps over a lazy dog and runs away."} {
		heard := &certain{speech{text: spelled(text)}}
		b := beam{net: heard, width: len(alphabet), limit: 200}
		h, err := b.run()
		if err != nil || written(h.ids) != text || h.stop != stopEnd {
			t.Errorf("%q became %q, %v, %v", text, written(h.ids), h.stop, err)
		}
	}
}

func TestABeamStops(t *testing.T) {
	loopy := &certain{speech{text: spelled(" so it goes" + strings.Repeat(" on and on", 40))}}
	b := beam{net: loopy, width: len(alphabet), limit: 200}
	if h, err := b.run(); err != nil || h.stop != stopLoop || len(h.ids) > 60 {
		t.Errorf("a loop: %v after %d tokens, %v", h.stop, len(h.ids), err)
	}
	long := make([]int, 500)
	for i := range long {
		long[i] = 259 + i*i%53
	}
	b = beam{net: &certain{speech{text: long}}, width: len(alphabet), limit: 200}
	if h, err := b.run(); err != nil || h.stop != stopLimit || len(h.ids) != 200 {
		t.Errorf("no end: %v after %d tokens, %v", h.stop, len(h.ids), err)
	}
	b = beam{net: &certain{speech{text: long}}, width: len(alphabet), limit: 200, yield: func() bool { return true }}
	if _, err := b.run(); !errors.Is(err, whole.ErrYielded) {
		t.Errorf("a beam that is to yield: %v", err)
	}
}

// certain is a decoder that has heard one text, by the number of tokens alone.
type certain struct{ speech }

func (c *certain) Branch(from, _ []int) (logits []float32, err error) {
	n := len(c.taken) + 1
	c.taken = make([]int, n-1)
	row, err := c.Take([]int{0})
	for range from {
		logits = append(logits, row...)
	}
	return logits, err
}

func TestLikeliest(t *testing.T) {
	row := []float32{0, 3, 1, 3, 2, -5}
	if ids, norm := likeliest(row, 4); !slices.Equal(ids, []int{1, 3, 4, 2}) || math.Abs(norm-3.94) > 0.01 {
		t.Errorf("%v, %.2f", ids, norm)
	}
	if ids, _ := likeliest(row[:2], 4); !slices.Equal(ids, []int{1, 0}) {
		t.Errorf("%v of two", ids)
	}
}

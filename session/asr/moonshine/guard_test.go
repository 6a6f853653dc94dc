package moonshine

import (
	"math"
	"strings"
	"testing"

	"steno/session/asr"
)

// What the model writes where nobody speaks is dropped, and what is said is not, however short.
func TestGuards(t *testing.T) {
	for _, c := range []struct {
		text  string
		p     float64 // of each token
		stop  stop
		apart float64
		want  string
	}{
		{"Hello there.", 0.9, stopEnd, 0, ""},
		{"Hello there.", 0.43, stopEnd, 0, DropNoise},
		{"You.", 0.47, stopEnd, 0, DropFiller},
		{"You.", 0.9, stopEnd, 0, ""},
		{"Yes.", 0.47, stopEnd, 0, ""},
		{"Thank you for watching!", 0.65, stopEnd, 0, DropCredit},
		{"Thank you for watching!", 0.95, stopEnd, 0, ""},
		{"Thank you for waiting.", 0.65, stopEnd, 0, ""},
		{"♪ The other day ♪", 0.9, stopEnd, 0, DropCredit},
		{"...", 0.9, stopEnd, 0, DropNoise},
		{"I have this.", 0.55, stopEnd, 1, DropNoise},
		{"I have this.", 0.55, stopEnd, 0.5, ""},
		{"I have this.", 0.7, stopEnd, 1, ""},
		{"I'm going to go", 0.9, stopLimit, 0, DropLoop},
		{"so", 0.9, stopLoop, 0, DropLoop},
		{"", 0.9, stopEnd, 0, ""},
	} {
		var h hypothesis
		var words []asr.Word
		h.stop = c.stop
		for _, w := range strings.Fields(c.text) {
			words = append(words, asr.Word{Text: w})
			h.ids, h.logs = append(h.ids, 1000), append(h.logs, math.Log(c.p))
		}
		if got := doubt(h, words, c.apart, leastProbability); got != c.want {
			t.Errorf("%q with %.2f, %v, %.1f apart: %q, want %q", c.text, c.p, c.stop, c.apart, got, c.want)
		}
	}
}

// Partials are shown of which a final would be doubted, but no fillers.
func TestGuardsOfPartials(t *testing.T) {
	for text, want := range map[string][2]string{"When mister": {"", DropNoise}, "You.": {DropFiller, DropNoise}} {
		words := []asr.Word{{Text: text}}
		for i, p := range []float64{0.35, 0.25} {
			h := hypothesis{ids: []int{1000}, logs: []float64{math.Log(p)}}
			if got := doubt(h, words, 0, leastOfPartials); got != want[i] {
				t.Errorf("%q with %.2f: %q, want %q", text, p, got, want[i])
			}
		}
	}
}

// Texts of variants are compared without case and punctuation.
func TestApart(t *testing.T) {
	words := func(text string) (out []asr.Word) {
		for _, w := range strings.Fields(text) {
			out = append(out, asr.Word{Text: w})
		}
		return out
	}
	for _, c := range []struct {
		a, b string
		want float64
	}{
		{"Hello, there.", "hello there", 0}, {"Hello there", "Hello, you", 0.5}, {"One", "", 1}, {"", "One two", 1},
		{"A b", "c d e f g", 1},
	} {
		if got := apart(words(c.a), words(c.b)); got != c.want {
			t.Errorf("%q and %q: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

func TestPartialsHoldDoubtfulWordsBack(t *testing.T) {
	for _, c := range []struct {
		confidences []float64
		want        int
	}{
		{nil, 0}, {[]float64{0.9}, 1}, {[]float64{0.2}, 1}, {[]float64{0.9, 0.2, 0.3}, 2},
		{[]float64{0.2, 0.9, 0.3, 0.1, 0.2}, 3}, {[]float64{0.9, 0.2, 0.9}, 3},
	} {
		var words []asr.Word
		for _, p := range c.confidences {
			words = append(words, asr.Word{Text: "a", Confidence: p})
		}
		if got := shown(words); got != c.want {
			t.Errorf("%v: %d words are shown, want %d", c.confidences, got, c.want)
		}
	}
}

package whole

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"steno/session/asr"
)

func TestAgreement(t *testing.T) {
	for name, test := range map[string]struct{ decodes, shown []string }{
		"grows":                {[]string{"a", "a b", "a b c d"}, []string{"a", "a b", "a b c"}},
		"at first":             {[]string{"a b c"}, []string{"a"}},
		"revised in between":   {[]string{"a b c", "a x c d"}, []string{"a", "a x c d"}},
		"revised at the end":   {[]string{"a b c", "a b x y"}, []string{"a", "a b x"}},
		"one more before":      {[]string{"a b c", "x a b c d e"}, []string{"a", "x a b c d"}},
		"the same word later":  {[]string{"a b", "a c b e f"}, []string{"a", "a c b e"}},
		"two words in between": {[]string{"a b", "a c d b e"}, []string{"a", "a c"}},
		"case and punctuation": {[]string{"Yes we.", "yes, We can. I"}, []string{"Yes", "yes, We can."}},
		"nothing": {[]string{"a b c d", "a b c d", "", "a b c d e"}, []string{"a", "a b c d", "a b c d",
			"a b c d"}},
		"something else": {[]string{"a b c d", "a b c d", "x y z q", "x y z q"},
			[]string{"a", "a b c d", "a b c d", "x y z q"}},
		"nothing at first": {[]string{"", "", "a"}, []string{"", "", "a"}},
	} {
		var a Agreement
		for i, text := range test.decodes {
			var shown []asr.Word
			shown, a = a.Add(spoken(text))
			if got := strings.Join(texts(shown), " "); got != test.shown[i] {
				t.Errorf("%s: %q after %q, want %q", name, got, test.decodes[:i+1], test.shown[i])
			}
		}
	}
}

// spoken returns words with times.
func spoken(text string) (out []asr.Word) {
	for i, w := range strings.Fields(text) {
		out = append(out, asr.Word{Text: w, Start: i * 1000, End: i*1000 + 900})
	}
	return out
}

// TestAgreementIsStable has each decode get some words wrong, those at the end more often. Of the
// words shown, but for the last, nine in ten are in the final, and more than of the decodes; times
// are in order.
func TestAgreementIsStable(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	shownWords, stood, decoded, right := 0, 0, 0, 0
	for range 200 {
		var a Agreement
		for n := 1; n <= 20; n++ {
			words := spoken(strings.Repeat("w ", n))
			for i := range words {
				wrong := 0.05
				if i >= n-2 {
					wrong = 0.4
				}
				words[i].Text = fmt.Sprint(i)
				if r.Float64() < wrong {
					words[i].Text = fmt.Sprint("wrong", r.IntN(100))
				}
			}
			var shown []asr.Word
			shown, a = a.Add(words)
			shownWords, stood = shownWords+len(shown)-1, stood+correct(shown)
			decoded, right = decoded+len(words)-1, right+correct(words)
			if !slices.IsSortedFunc(shown, func(a, b asr.Word) int { return a.Start - b.Start }) {
				t.Fatalf("times %+v", shown)
			}
		}
	}
	if stood*100 < shownWords*90 || stood*decoded < right*shownWords {
		t.Errorf("of %d words shown %d stood, of %d decoded %d", shownWords, stood, decoded, right)
	}
}

// correct counts the words, except the last, whose text is their index.
func correct(words []asr.Word) (n int) {
	for i, w := range words[:len(words)-1] {
		if w.Text == fmt.Sprint(i) {
			n++
		}
	}
	return n
}

package spelling

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"steno/messages"
)

var word = rapid.StringMatching(`[a-c]{1,2}|[A-C][a-c]?|東|é`)

func drawDictionary(t *rapid.T) map[string][]string {
	phrase := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(word, 1, 3).Draw(t, "phrase"), rapid.SampledFrom([]string{" ", "-"}).Draw(t,
			"by"))
	})
	return rapid.MapOfN(phrase, rapid.SliceOfN(phrase, 0, 3), 0, 6).Draw(t, "dictionary")
}

func drawUtterance(t *rapid.T) messages.Utterance {
	u := messages.Utterance{Language: "en"}
	at := 0.0
	for range rapid.IntRange(0, 12).Draw(t, "words") {
		start := at + rapid.Float64Range(0, 1).Draw(t, "pause")
		at = start + rapid.Float64Range(0, 1).Draw(t, "length")
		text := " " + word.Draw(t, "word") + rapid.SampledFrom([]string{"", ",", ".", "-a", "!"}).Draw(t, "mark")
		u.Words = append(u.Words, messages.Word{Word: text, Start: start, End: at, Confidence: rapid.Float64Range(0,
			1).Draw(t, "c")})
	}
	u.Text = messages.TextOf(u.Words)
	return u
}

// Nothing changes where nothing matches.
func TestIdentity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		other := map[string][]string{}
		for i, source := range rapid.SliceOf(rapid.StringMatching(`[x-z]{1,3}( [x-z])?`)).Draw(t, "sources") {
			other[fmt.Sprint("T", i)] = []string{source}
		}
		u := drawUtterance(t)
		if got := speller(other).Apply(u); written(got) != written(u) || got.Text != u.Text {
			t.Fatalf("%s became %s", written(u), written(got))
		}
	})
}

// The words joined are the text spelled, times do not go back, the utterance's span stays, and what
// does not match is still there, in its order.
func TestWordsHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, u := speller(drawDictionary(t)), drawUtterance(t)
		got := s.Apply(u)
		if got.Text != messages.TextOf(got.Words) || got.Text != s.Text(u.Text, "") {
			t.Fatalf("text %q, words %q, alone %q", got.Text, messages.TextOf(got.Words), s.Text(u.Text, ""))
		}
		at := 0.0
		for _, w := range got.Words {
			if w.Start < at || w.End < w.Start || w.Word == "" || w.Confidence < 0 || w.Confidence > 1 {
				t.Fatalf("from %s: %s", written(u), written(got))
			}
			at = w.End
		}
		if n := len(u.Words); n > 0 && (got.Words[0].Start != u.Words[0].Start || at != u.Words[n-1].End) {
			t.Fatalf("span of %s: %s", written(u), written(got))
		}
		held(t, s, u, got)
	})
}

// held checks that every word no edit touches is among the new ones as it was, in order.
func held(t *rapid.T, s *Speller, u, got messages.Utterance) {
	edits := s.trees(u.Language).edits(u.Text, u.Language)
	at, from := 0, 0
	for _, w := range u.Words {
		end := at + len(w.Word)
		touched := slices.ContainsFunc(edits, func(e edit) bool { return e.from < end && e.to > at })
		at = end
		if touched {
			continue
		}
		i := slices.Index(got.Words[from:], w)
		if i < 0 {
			t.Fatalf("%q of %s lost in %s", w.Word, written(u), written(got))
		}
		from += i + 1
	}
}

func FuzzApply(f *testing.F) {
	f.Add("we use sequel, data science", "SQL", "sequel", "data science")
	f.Add("\xff a\u0301 \u200d 東京 e\u0301", "é", "a\u0301", "東")
	f.Add("Nyokey… ’s it’s", "gnocchi di", "nyokey", "it's")
	f.Add("a-a-a a", " a ", "a-a", "a a")
	f.Fuzz(func(t *testing.T, text, target, one, two string) {
		s := speller(map[string][]string{target: {one, two}, two: {target}})
		var u messages.Utterance
		for i, w := range strings.Split(text, " ") {
			u.Words = append(u.Words, messages.Word{Word: " " + w, Start: float64(i), End: float64(i) + 1})
		}
		got := s.Apply(u)
		if messages.TextOf(got.Words) != s.Text(messages.TextOf(u.Words), "") {
			t.Errorf("%q apart from %q", messages.TextOf(got.Words), s.Text(messages.TextOf(u.Words), ""))
		}
	})
}

func BenchmarkApply(b *testing.B) {
	many := map[string][]string{}
	for i := range maxTargets {
		for j := range maxSources {
			target := fmt.Sprint("Target", i)
			many[target] = append(many[target], fmt.Sprintf("source %d number %d", i, j))
		}
	}
	var s *Speller
	b.Run("New", func(b *testing.B) {
		for b.Loop() {
			s = speller(many)
		}
	})
	for _, n := range []int{100, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			u := utterance(strings.SplitAfter(strings.Repeat(" source 7 number", n/3), " ")...)
			for b.Loop() {
				s.Apply(u)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/word")
		})
	}
}

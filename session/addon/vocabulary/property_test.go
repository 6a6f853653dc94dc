package vocabulary

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"steno/messages"
)

var syllables = rapid.SampledFrom(strings.Fields("po st gres ku ber net is shi von ga to man the S3 aws lu 4 é 東 O' x-y"))

func drawWord(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(syllables, 1, 4).Draw(t, "syllables"), "")
}

func drawVocabulary(t *rapid.T) messages.CustomVocabularyConfig {
	var c messages.CustomVocabularyConfig
	for range rapid.IntRange(0, 8).Draw(t, "entries") {
		i := rapid.Float64Range(0, 1).Draw(t, "intensity")
		value := strings.Join(rapid.SliceOfN(rapid.Custom(drawWord), 1, 3).Draw(t, "value"), " ")
		c.Vocabulary = append(c.Vocabulary, messages.VocabularyEntry{
			Value: value, Intensity: &i, Pronunciations: rapid.SliceOfN(rapid.Custom(drawWord), 0, 2).Draw(t,
				"pronunciations"),
			Language: rapid.SampledFrom([]string{"", "en", "de"}).Draw(t, "language"),
		})
	}
	return c
}

func drawUtterance(t *rapid.T) messages.Utterance {
	u := messages.Utterance{Language: rapid.SampledFrom([]string{"", "en", "de"}).Draw(t, "language")}
	at := 0.0
	for range rapid.IntRange(0, 12).Draw(t, "words") {
		start := at + rapid.Float64Range(0, 1).Draw(t, "pause")
		at = start + rapid.Float64Range(0, 1).Draw(t, "length")
		text := " " + drawWord(t) + rapid.SampledFrom([]string{"", "", ",", "."}).Draw(t, "mark")
		u.Words = append(u.Words, messages.Word{Word: text, Start: start, End: at, Confidence: rapid.Float64Range(0,
			1).Draw(t, "c")})
		u.Text += text
	}
	return u
}

// The words joined are the text, times do not go back, the span stays, every word is an old one in
// its order or belongs to an entry, and the same input has the same result.
func TestWordsHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, u := drawVocabulary(t), drawUtterance(t)
		got := New(c, "en").Apply(u)
		if again := New(c, "en").Apply(u); shown(again) != shown(got) {
			t.Fatalf("%s, then %s", shown(got), shown(again))
		}
		text, at, from := "", 0.0, 0
		for _, w := range got.Words {
			text += w.Word
			if w.Start < at || w.End < w.Start {
				t.Fatalf("from %s: %s", shown(u), shown(got))
			}
			at = w.End
			if i := slices.Index(u.Words[from:], w); i >= 0 {
				from += i + 1
			} else if !ofEntry(c, w.Word) {
				t.Fatalf("%q of %s is from nowhere", w.Word, shown(got))
			}
		}
		if got.Text != text {
			t.Fatalf("text %q, words %q", got.Text, text)
		}
		if n := len(u.Words); n > 0 && (got.Words[0].Start != u.Words[0].Start || at != u.Words[n-1].End) {
			t.Fatalf("span of %s: %s", shown(u), shown(got))
		}
	})
}

func ofEntry(c messages.CustomVocabularyConfig, word string) bool {
	return slices.ContainsFunc(c.Vocabulary, func(e messages.VocabularyEntry) bool {
		return strings.Contains(e.Value, strings.Trim(word, " ,.'"))
	})
}

func FuzzApply(f *testing.F) {
	f.Add("we run cooper netties", "Kubernetes", "coo burn", "en")
	f.Add("a w s, s three", "AWS", "S3", "")
	f.Add("\xff é 東京 ’s 12345 ٣", "東 京", "\xff ٣ 4", "ja")
	f.Add("mr hmm x q zz", "GPT-4 & C++", "ǅ ß", "de")
	f.Add("4٣4 x", "a 4٣", "٣4", "en")
	f.Fuzz(func(t *testing.T, text, value, pronunciation, language string) {
		full := 1.0
		u := said(text, .3)
		u.Language = language
		got := New(messages.CustomVocabularyConfig{DefaultIntensity: &full, Vocabulary: []messages.VocabularyEntry{
			{Value: value, Pronunciations: []string{pronunciation}},
		}}, "").Apply(u)
		var joined strings.Builder
		for _, w := range got.Words {
			joined.WriteString(w.Word)
		}
		if joined.String() != got.Text {
			t.Errorf("text %q, words %q", got.Text, joined.String())
		}
	})
}

// large is a vocabulary at all limits, every pronunciation different, of n characters.
func large(n int) messages.CustomVocabularyConfig {
	r := rand.New(rand.NewPCG(1, 2))
	name := func() string {
		b := make([]byte, n)
		for i := range b {
			b[i] = []string{"bdfgklmnprst", "aeiou"}[i%2][r.IntN(12-7*(i%2))]
		}
		return string(b)
	}
	var c messages.CustomVocabularyConfig
	for range maxEntries {
		e := messages.VocabularyEntry{Value: name()}
		for range maxPronunciations {
			e.Pronunciations = append(e.Pronunciations, name())
		}
		c.Vocabulary = append(c.Vocabulary, e)
	}
	return c
}

// A search looks at no more than its limits allow, however large the vocabulary.
func TestSearchIsBounded(t *testing.T) {
	k := New(large(8), "en")
	if n := len(k.english.sounds); n < 50_000 || n > maxLetters/8 {
		t.Fatalf("%d sounds", n)
	}
	if len(k.other.sounds) != 0 {
		t.Errorf("%d sounds for other languages", len(k.other.sounds))
	}
	s := k.english.search()
	phones := k.english.pronounce("lodimaku", sayOptions{})
	if got := k.english.candidates(phones, s); len(got) == 0 || len(got) > maxCandidates {
		t.Errorf("%d candidates", len(got))
	}
	votes := 0
	for _, ids := range k.english.lists(phones) {
		votes += len(ids)
	}
	if votes < maxVotes {
		t.Errorf("%d votes do not reach the limit", votes)
	}
	for i, v := range s.votes {
		if v != 0 {
			t.Fatalf("sound %d keeps %d votes", i, v)
		}
	}
}

// What exceeds the limits is passed over.
func TestLimits(t *testing.T) {
	c := messages.CustomVocabularyConfig{Vocabulary: []messages.VocabularyEntry{
		{Value: strings.Repeat("a", maxText+1)}, {Value: " "}, {Value: ""}, {Value: "--"},
		{Value: "Last", Pronunciations: append(slices.Repeat([]string{"first"}, maxPronunciations), "banana")},
	}}
	k := New(c, "en")
	const text = "banana and more"
	if got := k.Apply(said(text, .9)).Text; got != text {
		t.Errorf("got %q", got)
	}
	if n := len(New(large(maxText+1), "en").english.sounds); n != 0 {
		t.Errorf("%d sounds of what is too long", n)
	}
}

func BenchmarkNew(b *testing.B) {
	for _, n := range []int{8, 40, 500} {
		c := large(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				New(c, "")
			}
		})
	}
}

// phrases is a vocabulary of a thousand entries of three words, each word common to many of them.
func phrases() messages.CustomVocabularyConfig {
	words := strings.Fields("new york times bank of america visual studio code machine learning engineer lodimaku cooper netties run")
	var c messages.CustomVocabularyConfig
	for i := range maxEntries {
		n := len(words)
		c.Vocabulary = append(c.Vocabulary, messages.VocabularyEntry{Value: words[i%n] + " " + words[(i/n)%n] + " " +
			words[(i/n/n+i)%n]})
	}
	return c
}

func BenchmarkApply(b *testing.B) {
	for name, c := range map[string]messages.CustomVocabularyConfig{"small": vocabulary, "large": large(8),
		"phrases": phrases()} {
		k := New(c, "en")
		for _, n := range []int{50, 1000} {
			u := said(strings.TrimSpace(strings.Repeat("we run cooper netties and lodimaku there ", n/7)), .5)
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				for b.Loop() {
					k.Apply(u)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/word")
			})
		}
	}
}

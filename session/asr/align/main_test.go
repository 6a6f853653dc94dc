package align

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"steno/session/asr/align/estimate"
	"steno/session/asr/asrtest/corpus"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(tests{m}) }

// tests are all of the package's. The pool that they share is closed after the last of them.
type tests struct{ *testing.M }

func (m tests) Run() int {
	code := m.M.Run()
	if common != nil {
		common.Close()
	}
	return code
}

// common is what [shared] has opened.
var common *Pool

// shared returns the pool of the tests that do not depend on what it has aligned before: it learns
// how words are pronounced, which takes a second.
func shared(t testing.TB) *Pool {
	t.Helper()
	if common == nil {
		p, err := New(Config{Aligners: 1})
		if err != nil {
			t.Skip(err)
		}
		common = p
	}
	return common
}

// open returns a pool with a dictionary of the words that are given, or skips the test where
// PocketSphinx is not installed.
func open(t testing.TB, c Config, words ...string) *Pool {
	t.Helper()
	dict := shared(t).speaker.dict
	var lines strings.Builder
	for _, w := range words {
		lines.WriteString(w + " " + dict.First(w) + "\n")
	}
	c.Dict = filepath.Join(t.TempDir(), "dict")
	if err := os.WriteFile(c.Dict, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// beside returns a pool of its own aligners, which has read and learned what [shared] has.
func beside(t testing.TB, aligners int) *Pool {
	t.Helper()
	from := shared(t)
	p := &Pool{speaker: from.speaker, load: from.load, slots: make(chan struct{}, aligners)}
	t.Cleanup(p.Close)
	return p
}

// recording is one of Debian's, its text as a neural recognizer wrote it, with its errors, and as
// it was spoken.
type recording struct{ file, heard, spoken string }

var recordings = []recording{
	{"librivox/sense_and_sensibility_01_austen_64kb-0870.wav",
		"And Mr. John Dashwood had then leisure to consider how much there might be prudently in his power to do for them.",
		"and mister john dashwood had then leisure to consider how much there might be prudently in his power to do for them"},
	{"librivox/sense_and_sensibility_01_austen_64kb-0880.wav",
		"He was not an ill-sposed young man.", "he was not an ill disposed young man"},
	{"librivox/sense_and_sensibility_01_austen_64kb-0890.wav",
		"Unless to be rather cold-hearted and rather selfish, is to be ill-disposed,",
		"unless to be rather cold hearted and rather selfish is to be ill disposed"},
	{"librivox/sense_and_sensibility_01_austen_64kb-0920.wav",
		"Had he married a more amiable woman, he might have been made still more respectable than he was.",
		"had he married a more a amiable woman he might have been made still more respectable than he was"},
	{"librivox/sense_and_sensibility_01_austen_64kb-0930.wav",
		"He might even have been made amiable himself.", "he might even have been made amiable himself"},
	{"cards/001.wav", "Ten of clubs.", "ten of clubs"},
	{"cards/002.wav", "Four queen of gloves.", "four queen of clubs"},
	{"cards/005.wav", "8 of spades, 4 of cloves, 7 of hearts.", "eight of spades four of clubs seven of hearts"},
	{"goforward.raw", "Go forward 10 meters.", "go forward ten meters"},
}

// heard is a recording with what was heard in it and where that lies, which [shared] has found.
type heard struct {
	samples []int16
	words   []string
	spans   []Span
}

// found are recordings by their files. Spans do not depend on what was aligned before.
var found = map[string]heard{}

func (r recording) aligned(t testing.TB) heard {
	t.Helper()
	h, ok := found[r.file]
	if ok {
		return h
	}
	h.samples, h.words = corpus.Debian(t, r.file), fields(r.heard)
	var err error
	if h.spans, err = shared(t).Align(h.samples, h.words); err != nil {
		t.Fatal(err)
	}
	found[r.file] = h
	return h
}

// invariants checks what holds for all spans: in order, within the audio, and no word with sound
// shorter than there is room for.
func invariants(t testing.TB, samples []int16, words []string, spans []Span) {
	t.Helper()
	if len(spans) != len(words) {
		t.Fatalf("%d spans of %d words", len(spans), len(words))
	}
	sounding := 0
	for _, w := range words {
		if estimate.Letters(w) > 0 {
			sounding++
		}
	}
	at := 0
	for i, s := range spans {
		if s.Start < at || s.End < s.Start || s.End > len(samples) {
			t.Fatalf("word %d %q: %+v after %d, of %d samples", i, words[i], s, at, len(samples))
		}
		if least := min(estimate.MinSpan, len(samples)/max(sounding, 1)); estimate.Letters(words[i]) > 0 &&
			s.End-s.Start < least {
			t.Fatalf("word %d %q: %+v is shorter than %d", i, words[i], s, least)
		}
		at = s.End
	}
}

// starts returns the errors, in samples, of the starts of the words that were heard right: against
// those of the spoken words.
func starts(heard []string, spans []Span, spoken []string, reference []Span) []float64 {
	var words []string
	var of []int // of each of words, the index of the heard word that begins with it; -1: of none
	for i, w := range heard {
		for j, x := range corpus.Words(w) {
			words, of = append(words, x), append(of, i)
			if j > 0 {
				of[len(of)-1] = -1
			}
		}
	}
	var out []float64
	for _, p := range pairs(spoken, words) {
		if i := of[p[1]]; i >= 0 {
			d := spans[i].Start - reference[p[0]].Start
			out = append(out, float64(max(d, -d)))
		}
	}
	return out
}

// pairs returns the indexes of equal words of an alignment with the fewest errors.
func pairs(a, b []string) [][2]int {
	cost := make([][]int, len(a)+1)
	for i := range cost {
		cost[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			cost[i][j] = max(cost[i+1][j], cost[i][j+1])
			if a[i] == b[j] {
				cost[i][j] = max(cost[i][j], cost[i+1][j+1]+1)
			}
		}
	}
	var out [][2]int
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j] && cost[i][j] == cost[i+1][j+1]+1:
			out = append(out, [2]int{i, j})
			i, j = i+1, j+1
		case cost[i][j] == cost[i+1][j]:
			i++
		default:
			j++
		}
	}
	return out
}

func fields(text string) []string { return strings.Fields(text) }

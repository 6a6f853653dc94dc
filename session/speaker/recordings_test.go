package speaker

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"steno/session/asr/asrtest/corpus"
)

// conversation is speech of which it is known who speaks when.
type conversation struct {
	name    string
	samples []int16
	truth   []Turn
	tuned   bool // the constants of this package were chosen with it
}

func (c conversation) speech() []Span {
	out := make([]Span, len(c.truth))
	for i, t := range c.truth {
		out[i] = Span{t.Start, t.End}
	}
	return out
}

// meetings are the recorded conversations.
func meetings(t testing.TB) []conversation {
	dir := os.Getenv("STENO_TEST_AUDIO")
	var out []conversation
	for _, c := range corpus.Read(t, func(e corpus.Entry) bool { return e.RTTM != "" }) {
		name := strings.TrimSuffix(filepath.Base(c.File), ".wav")
		out = append(out, conversation{name, c.Samples, readTurns(t, filepath.Join(dir, c.RTTM)), name != "trn07"})
	}
	return out
}

func readTurns(t testing.TB, file string) []Turn {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	number := map[string]int{}
	var out []Turn
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var start, length float64
		field := strings.Fields(lines.Text())
		if _, err := fmt.Sscan(field[3]+" "+field[4], &start, &length); err != nil {
			t.Fatal(err)
		}
		if _, ok := number[field[7]]; !ok {
			number[field[7]] = len(number)
		}
		out = append(out, Turn{Start: int(start * rate), End: int((start + length) * rate), Speaker: number[field[7]]})
	}
	return out
}

// readers are people who read aloud, each in clips.
func readers(t testing.TB) map[string][][]int16 {
	out := map[string][][]int16{}
	for _, c := range corpus.Read(t, func(e corpus.Entry) bool {
		return e.Source() == "librispeech-test-other" || e.Source() == "speechbrain" && e.Kind == "speech" || e.File == "mfa/acoustic_corpus.wav" || e.Source() == "azure"
	}) {
		name := strings.TrimSuffix(filepath.Base(c.File), filepath.Ext(c.File))
		who, _, _ := strings.Cut(name, "-")
		who, _, _ = strings.Cut(who, "_")
		if c.Source() == "mfa" {
			who = "mfa"
		}
		out[who] = append(out[who], trimmed(c.Samples))
	}
	return out
}

// trimmed cuts the silence around speech.
func trimmed(x []int16) []int16 {
	s := loudSpans(x)
	if len(s) == 0 {
		return x
	}
	return x[s[0].Start:s[len(s)-1].End]
}

// talk makes a conversation of readers: stretches of 1 to 6 s, taking turns, with pauses.
func talk(name string, who []string, of map[string][][]int16, seconds int, seed uint64) conversation {
	r := rand.New(rand.NewPCG(seed, 3))
	c := conversation{name: name}
	add := func(n int) {
		for range n {
			c.samples = append(c.samples, int16(r.NormFloat64()*4))
		}
	}
	last := -1
	tape := make([][]int16, len(who))
	for k, w := range who {
		tape[k] = slices.Concat(of[w]...)
	}
	for len(c.samples) < seconds*rate {
		k := r.IntN(len(who))
		n := int((1 + 5*r.Float64()) * rate)
		if k == last && len(who) > 1 {
			continue
		}
		if len(tape[k]) < n {
			break
		}
		last = k
		add(int((0.1 + 0.6*r.Float64()) * rate))
		c.truth = append(c.truth, Turn{Start: len(c.samples), End: len(c.samples) + n, Speaker: k})
		c.samples = append(c.samples, tape[k][:n]...)
		tape[k] = tape[k][n:]
	}
	add(rate / 5)
	number := map[int]int{}
	for i, t := range c.truth {
		if _, ok := number[t.Speaker]; !ok {
			number[t.Speaker] = len(number)
		}
		c.truth[i].Speaker = number[t.Speaker]
	}
	return c
}

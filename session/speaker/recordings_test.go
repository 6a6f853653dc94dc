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
	set     string
}

func (c conversation) speech() []Span {
	out := make([]Span, len(c.truth))
	for i, t := range c.truth {
		out[i] = Span{t.Start, t.End}
	}
	return out
}

// meetings are the recorded conversations. Among what the constants of this package were chosen
// with are two of them.
func meetings(t testing.TB) []conversation {
	dir := os.Getenv("STENO_TEST_AUDIO")
	var out []conversation
	for _, c := range corpus.Read(t, func(e corpus.Entry) bool { return e.RTTM != "" }) {
		name := strings.TrimSuffix(filepath.Base(c.File), ".wav")
		out = append(out, conversation{name, c.Samples, readTurns(t, filepath.Join(dir, string(c.RTTM))), met})
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
	return clips(t, 100, "1688", "2033", "2609", "3080", "367", "mfa", "spk1", "spk2", "de", "en", "es")
}

// clips are so many, at most, of each of these readers.
func clips(t testing.TB, most int, who ...string) map[string][][]int16 {
	out := map[string][][]int16{}
	taken := map[string]int{}
	for _, c := range corpus.Read(t, func(e corpus.Entry) bool {
		r := reader(e)
		taken[r]++
		return slices.Contains(who, r) && taken[r] <= most
	}) {
		out[reader(c.Entry)] = append(out[reader(c.Entry)], trimmed(c.Samples))
	}
	return out
}

// reader is who reads in a recording, if it is one of a reader.
func reader(e corpus.Entry) string {
	name := filepath.Base(e.File)
	switch {
	case e.File == "mfa/acoustic_corpus.wav":
		return "mfa"
	case e.Source() == "librispeech-test-other":
		name, _, _ = strings.Cut(name, "-")
		return name
	case e.Source() == "speechbrain" && e.Kind == "speech":
		name, _, _ = strings.Cut(name, "_")
		return name
	case e.Source() == "azure":
		return strings.TrimSuffix(name, filepath.Ext(name))
	}
	return ""
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

// Readers on a channel each are distinguished without an error, and with few where all channels
// have both.
func TestReadersOnTheirOwnChannels(t *testing.T) {
	of := clips(t, 4, "3080", "367", "mfa", "de")
	for i, who := range [][]string{{"3080", "367"}, {"mfa", "de"}} {
		c := talk("", who, of, 24, uint64(i))
		turns := mustChannels(t, split(c, 0.02), Count{})
		for k := range turns {
			for _, u := range turns[k] {
				if u.Speaker != k {
					t.Errorf("%v: speaker %d on channel %d", who, u.Speaker, k)
				}
			}
		}
		mixed := mustChannels(t, [][]int16{c.samples, attenuated(c.samples, 2)}, Count{Exactly: 2})
		for k := range mixed {
			if e := score(c.truth, mixed[k], rate/4); e.confused/e.speech > 0.05 {
				t.Errorf("%v: %.1f %% confused on channel %d of the mix", who, 100*e.confused/e.speech, k)
			}
		}
	}
}

// In meetings the error rate is far below that of one speaker for all, with the true speech given
// and with speech found as for a job; there, fewer too than one speaker makes who speaks when it is
// true.
func TestMeetings(t *testing.T) {
	var sums [4]errorTimes
	for _, c := range meetings(t) {
		speech := c.speech()
		given, found := mustDiarize(t, c.samples, speech, Count{}), mustDiarize(t, c.samples, nil, Count{})
		for i, turns := range [][]Turn{oneSpeaker(mergeSpans(speech, len(c.samples))), given, sameSpeech(found),
			found} {
			sums[i].add(score(c.truth, turns, rate/4))
		}
	}
	one, given, oneFound, found := sums[0].rate(), sums[1].rate(), sums[2].rate(), sums[3].rate()
	if given > 0.6*one {
		t.Errorf("%.1f %%, one speaker for all has %.1f %%", given, one)
	}
	if found > 0.65*oneFound || found > 0.85*one {
		t.Errorf("%.1f %% with found speech, one speaker for all has %.1f %%, with the true speech %.1f %%", found,
			oneFound, one)
	}
}

// sphinx reads the recordings of Debian's pocketsphinx-testdata: a woman reads a book, men speak
// numbers and cards.
func sphinx(t testing.TB) (book, numbers [][]int16) {
	const dir = "/usr/share/pocketsphinx/test/data"
	clips, _ := filepath.Glob(dir + "/librivox/*.wav")
	if len(clips) == 0 {
		t.Skip("Debian's pocketsphinx-testdata is not installed")
	}
	for _, f := range clips {
		book = append(book, trimmed(pcm(t, f, 44)))
	}
	for _, f := range []string{"numbers.raw", "something.raw", "goforward.raw"} {
		numbers = append(numbers, trimmed(pcm(t, filepath.Join(dir, f), 0)))
	}
	return book, numbers
}

// pcm reads the samples after a header.
func pcm(t testing.TB, file string, header int) []int16 {
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return corpus.Samples(b[header:])
}

func TestReaderAndCaller(t *testing.T) {
	book, numbers := sphinx(t)
	var c conversation
	for i := range numbers {
		for who, x := range [][]int16{book[i], numbers[i]} {
			c.samples = append(c.samples, quietFor(0.4, uint64(i))...)
			c.truth = append(c.truth, Turn{Start: len(c.samples), End: len(c.samples) + len(x), Speaker: who})
			c.samples = append(c.samples, x...)
		}
	}
	for _, want := range []Count{{}, {Exactly: 2}} {
		turns := mustDiarize(t, c.samples, c.speech(), want)
		if e := score(c.truth, turns, rate/4); speakers(turns) != 2 || e.confused/e.speech > 0.02 {
			t.Errorf("%+v: %d speakers, %.1f %% confused", want, speakers(turns), 100*e.confused/e.speech)
		}
	}
	k := NewTracker(0)
	for i, u := range c.truth {
		if got := k.Add(c.samples[u.Start:u.End]); got != u.Speaker {
			t.Errorf("utterance %d is speaker %d's, not %d's", i, got, u.Speaker)
		}
	}
}

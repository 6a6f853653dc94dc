package align

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"steno/session/asr"
	"steno/session/asr/asrtest/corpus"
)

// Times of a recognizer's text are those of the spoken text, although some of its words are wrong.
func TestTimesOfHeardText(t *testing.T) {
	p := shared(t)
	var aligned, proportional []float64
	words, known := 0, 0
	for _, r := range recordings {
		h := r.aligned(t)
		reference, err := p.Align(h.samples, fields(r.spoken))
		if err != nil {
			t.Fatal(err)
		}
		invariants(t, h.samples, h.words, h.spans)
		for _, s := range h.spans {
			words++
			if s.Known {
				known++
			}
		}
		aligned = append(aligned, starts(h.words, h.spans, corpus.Words(r.spoken), reference)...)
		proportional = append(proportional, starts(h.words, Proportional(h.samples, h.words), corpus.Words(r.spoken),
			reference)...)
	}
	slices.Sort(aligned)
	slices.Sort(proportional)
	n := len(aligned)
	t.Logf("%d starts: median %v, p90 %v samples; proportional %v, %v", n, aligned[n/2], aligned[n*9/10],
		proportional[n/2], proportional[n*9/10])
	if n < 60 || aligned[n/2] > 40*asr.Rate/1000 || aligned[n*9/10] > asr.Rate/4 || aligned[n/2] > proportional[n/2]/2 {
		t.Errorf("of %d starts the median is %v off, p90 %v; proportional %v", n, aligned[n/2], aligned[n*9/10],
			proportional[n/2])
	}
	if known*100 < words*98 {
		t.Errorf("%d of %d words have times", known, words)
	}
}

// Speech between silence is found where it is.
func TestWordsLieWhereTheyWereSpoken(t *testing.T) {
	p := shared(t)
	const before, after = 2 * asr.Rate, 3 * asr.Rate
	alone := recordings[0].aligned(t)
	samples := slices.Concat(noise(before, 20), alone.samples, noise(after, 20))
	spans, err := p.Align(samples, alone.words)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range spans {
		if !s.Known || !alone.spans[i].Known {
			t.Fatalf("%q is not known: %+v, %+v", alone.words[i], s, alone.spans[i])
		}
		if d := s.Start - before - alone.spans[i].Start; max(d, -d) > asr.Rate/20 {
			t.Errorf("%q begins %d samples from where it did", alone.words[i], d)
		}
	}
}

// Of a text whose beginning is not in the audio, the words that are in it have the times that they
// have with all of it.
func TestAlignEnd(t *testing.T) {
	p := shared(t)
	tried, wrong := 0, 0
	for _, r := range recordings {
		h := r.aligned(t)
		for i := 1; i < len(h.words)-1; i += 4 {
			from := (h.spans[i-1].End + h.spans[i].Start) / 2
			skipped, spans, err := p.AlignEnd(h.samples[from:], h.words)
			if err != nil {
				t.Fatal(err)
			}
			tried++
			if spans == nil || skipped != i {
				wrong++
				continue
			}
			invariants(t, h.samples[from:], h.words[i:], spans)
		}
	}
	if wrong > 0 {
		t.Errorf("of %d ends %d are others", tried, wrong)
	}
}

// noise returns white noise, the same each time.
func noise(n int, amplitude int) []int16 {
	r := rand.New(rand.NewPCG(1, 2))
	out := make([]int16, n)
	for i := range out {
		out[i] = int16(r.IntN(2*amplitude+1) - amplitude)
	}
	return out
}

// Whatever an aligner aligned before, and whichever it is: the spans of the same samples and words
// are the same.
func TestAlignersKeepNoState(t *testing.T) {
	p := beside(t, 2)
	type task struct {
		samples []int16
		words   []string
	}
	var tasks []task
	for i, r := range recordings[5:] {
		samples := corpus.Debian(t, r.file)
		other := recordings[i]
		tasks = append(tasks, task{samples, fields(r.heard)}, task{samples[len(samples)/3:], fields(r.spoken)},
			task{samples, fields(other.heard)})
	}
	tasks = append(tasks, task{noise(asr.Rate, 3000), fields("nothing of it")}, task{make([]int16, 2*asr.Rate),
		fields("or 1462 of it")})
	fresh := make([][]Span, len(tasks))
	for i, k := range tasks { // each by an aligner that aligned nothing before
		fresh[i], _ = p.Align(k.samples, k.words)
		p.idle[0].free()
		p.idle = nil
	}
	var wg sync.WaitGroup
	for seed := range uint64(2) {
		wg.Go(func() {
			for _, i := range rand.New(rand.NewPCG(seed, 0)).Perm(len(tasks)) {
				spans, err := p.Align(tasks[i].samples, tasks[i].words)
				if err != nil || !slices.Equal(spans, fresh[i]) {
					t.Errorf("task %d: %v, want %v (%v)", i, spans, fresh[i], err)
				}
			}
		})
	}
	wg.Wait()
}

// Whatever words and whatever audio: the spans are in order and within it.
func TestAnyWordsAndAudio(t *testing.T) {
	p := shared(t)
	speech := corpus.Debian(t, "goforward.raw")
	audio := map[string][]int16{
		"none": nil, "a sample": {1}, "10 ms": noise(160, 100), "0.2 s": noise(3200, 1000),
		"1 s of speech": speech[asr.Rate/2 : 3*asr.Rate/2],
		"silence":       make([]int16, asr.Rate/2), "noise": noise(asr.Rate/2, 8000),
	}
	texts := map[string][]string{
		"none": nil, "empty": {"", "", ""}, "emoji": {"🙂", "go", "👩‍👩‍👧", "—"}, "marks": {"—", "...", "!"},
		"other scripts": {"東京", "go", "Привет"},
		"200 words":     fields(strings.Repeat("word ", 200)), "a long word": {strings.Repeat("antidisestablish", 100)},
		"spaces": {" go ", "a b c", "\t"},
		"bytes":  {"\xff\xfe", "a\x00b", "go"}, "digits": {strings.Repeat("1234567890", 20), "1,2,3", "$", "$.", "-",
			"1.2.3.4", "1:", ":00", "1:00:00", "$0.05", "$1,000,000.50M", "½", "1/2", "0", "00", "007"},
	}
	r := rand.New(rand.NewPCG(7, 7))
	for range 6 {
		name := "random " + randomWord(r)
		for range r.IntN(12) {
			texts[name] = append(texts[name], randomWord(r))
		}
	}
	for sound, samples := range audio {
		for text, words := range texts {
			spans, err := p.Align(samples, words)
			if err != nil {
				t.Errorf("%s with %s: %v", text, sound, err)
			}
			invariants(t, samples, words, spans)
			invariants(t, samples, words, Proportional(samples, words))
			if t.Failed() {
				t.Fatalf("%s with %s", text, sound)
			}
		}
	}
}

func randomWord(r *rand.Rand) string {
	const of = "abcdefghijklmnopqrstuvwxyzABCDEI'-.,:$%0123456789éß漢🙂()<>[]~"
	runes := []rune(of)
	out := make([]rune, r.IntN(9))
	for i := range out {
		out[i] = runes[r.IntN(len(runes))]
	}
	return string(out)
}

// A word in another script lies between its neighbours, which keep their times; so does a mark,
// which takes none.
func TestWordsThatCannotBePronounced(t *testing.T) {
	p := shared(t)
	samples := corpus.Debian(t, "goforward.raw")
	plain, err := p.Align(samples, fields("go forward ten meters"))
	if err != nil {
		t.Fatal(err)
	}
	spans, err := p.Align(samples, fields("Go forward — 東京 ten meters"))
	if err != nil {
		t.Fatal(err)
	}
	if spans[0] != plain[0] || spans[1].Start != plain[1].Start || spans[5].End != plain[3].End || spans[3].Known {
		t.Errorf("%+v, without the others %+v", spans, plain)
	}
	if dash := spans[2]; dash.Start != dash.End || dash.Start != spans[1].End {
		t.Errorf("the dash is %+v after %+v", dash, spans[1])
	}
}

// A closed pool estimates, and reports ErrClosed. Nothing runs any more.
func TestClose(t *testing.T) {
	p := open(t, Config{}, "go", "forward")
	samples := corpus.Debian(t, "goforward.raw")
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			if spans, err := p.Align(samples, fields("go forward")); len(spans) != 2 || err != nil &&
				!errors.Is(err, ErrClosed) {
				t.Errorf("%v, %v", spans, err)
			}
		})
	}
	p.Close()
	wg.Wait()
	p.Close()
	spans, err := p.Align(samples, fields("go forward"))
	if !errors.Is(err, ErrClosed) || !slices.Equal(spans, Proportional(samples, fields("go forward"))) {
		t.Errorf("%v, %v", spans, err)
	}
	if len(p.idle) > 0 {
		t.Errorf("%d aligners are left", len(p.idle))
	}
}

// The longest utterance is aligned as its pieces are.
func TestAMinute(t *testing.T) {
	p := shared(t)
	var samples []int16
	var words []string
	var want []int
	for i := 0; ; i++ {
		piece := recordings[i%7].aligned(t)
		if len(samples)+len(piece.samples) > asr.MaxSamples {
			break
		}
		for _, s := range piece.spans {
			want = append(want, len(samples)+s.Start)
		}
		samples, words = append(samples, piece.samples...), append(words, piece.words...)
	}
	spans, err := p.Align(samples, words)
	if err != nil {
		t.Fatal(err)
	}
	invariants(t, samples, words, spans)
	near := 0
	for i, s := range spans {
		if d := s.Start - want[i]; s.Known && max(d, -d) <= asr.Rate/10 {
			near++
		}
	}
	if len(samples) < 50*asr.Rate || near*100 < len(words)*90 {
		t.Errorf("%d of %d words are where they are in the pieces of %d samples", near, len(words), len(samples))
	}
	if long, err := p.Align(make([]int16, asr.MaxSamples+1), words); err != nil || long[0].Known {
		t.Errorf("audio that is too long: %+v, %v", long[0], err)
	}
}

// An aligner that learned many words is replaced.
func TestAlignersAreReplaced(t *testing.T) {
	p := beside(t, 1)
	samples := corpus.Debian(t, "goforward.raw")
	a, err := p.load()
	if err != nil {
		t.Fatal(err)
	}
	p.idle = []*aligner{a}
	for word := range p.speaker.dict.Words() {
		if len(a.words) == maxWords {
			break
		}
		if err := a.learn(word, p.speaker.sounds); err != nil {
			t.Fatal(err)
		}
	}
	full, err := p.Align(samples, fields("go forward ten meters"))
	if err != nil || len(p.idle) > 0 {
		t.Fatalf("%d aligners are kept; %v", len(p.idle), err)
	}
	spans, err := p.Align(samples, fields("go forward ten meters"))
	if err != nil || len(p.idle) != 1 || p.idle[0] == a || !slices.Equal(spans, full) {
		t.Errorf("%d aligners, %v, of the full one %v; %v", len(p.idle), spans, full, err)
	}
}

func TestNewSaysWhatIsMissing(t *testing.T) {
	shared(t)
	for _, c := range []Config{
		{Model: t.TempDir()}, {Dict: filepath.Join(t.TempDir(), "none")}, {Aligners: -1},
	} {
		p, err := New(c)
		if err == nil {
			p.Close()
			t.Errorf("%+v is taken", c)
		} else if c.Aligners == 0 && (!strings.Contains(err.Error(), "pocketsphinx-en-us") ||
			!errors.Is(err, os.ErrNotExist)) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

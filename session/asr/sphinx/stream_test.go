//go:build linux && amd64

package sphinx

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"steno/session/asr"
)

// hiss is faint noise, the same at every call.
func hiss(n, amplitude int) []int16 {
	random := rand.New(rand.NewPCG(1, 2))
	out := make([]int16, n)
	for i := range out {
		out[i] = int16(random.IntN(2*amplitude+1) - amplitude)
	}
	return out
}

func join(parts ...[]int16) []int16 {
	var out []int16
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

// Silence before the speech must move every word by exactly as much: nothing is cut out of the
// utterance's time.
func TestWordTimesMoveWithTheSpeech(t *testing.T) {
	r := shared(t)
	speech := librivox(t, "0930")
	near, _ := recognize(t, r, asr.Params{}, join(hiss(1600, 10), speech))
	far, _ := recognize(t, r, asr.Params{}, join(hiss(1600+16000, 10), speech))
	starts := map[string][]int{}
	for _, w := range near.Words {
		starts[w.Text] = append(starts[w.Text], w.Start)
	}
	same := 0
	for _, w := range far.Words {
		for _, s := range starts[w.Text] {
			if d := w.Start - 16000 - s; -3*frame <= d && d <= 3*frame {
				same++
				break
			}
		}
	}
	if same == 0 || same*3 < len(near.Words)*2 {
		t.Errorf("%d of %d words moved with the speech\nnear %v\nfar  %v", same, len(near.Words), near.Words, far.Words)
	}
}

// Sentences lie at known places of an utterance of more than 50 seconds, with a second of hiss
// before each: their words must lie in them, to the end.
func TestWordTimesLieInTheSpeech(t *testing.T) {
	r := start(t, small(Config{Slots: 1, Decoders: 1}))
	var all []int16
	var begin, end []int
	for _, number := range slices.Concat(librivoxNumbers, librivoxNumbers[1:]) {
		all = append(all, hiss(asr.Rate, 10)...)
		begin = append(begin, len(all))
		all = append(all, librivox(t, number)...)
		end = append(end, len(all))
	}
	final, _ := recognize(t, r, asr.Params{}, all)
	sane(t, final, len(all))
	const slack = asr.Rate / 10
	within := make([]int, len(begin))
	for _, w := range final.Words {
		i := slices.IndexFunc(end, func(e int) bool { return w.Start < e })
		if i < 0 || w.Start < begin[i]-slack || w.End > end[i]+slack {
			t.Errorf("%+v lies in no sentence: they begin at %v, end at %v", w, begin, end)
			continue
		}
		within[i]++
	}
	for i, n := range within {
		if seconds := (end[i] - begin[i]) / asr.Rate; n < seconds {
			t.Errorf("%d words in sentence %d of %d s", n, i, seconds)
		}
	}
}

func TestPartialsGrowIntoTheFinal(t *testing.T) {
	r := start(t, small(Config{Slots: 1, Decoders: 2}))
	samples := librivox(t, "0920")
	u, err := r.Open(t.Context(), asr.Params{Partials: true})
	if err != nil {
		t.Fatal(err)
	}
	// The last partial after all audio was written is cumulative; the test waits for it before it
	// ends the utterance.
	if err := u.Write(samples[:2*asr.Rate]); err != nil {
		t.Fatal(err)
	}
	first, err := u.Recv()
	if err != nil || first.Final || first.Timed || len(first.Words) == 0 {
		t.Fatalf("first result %+v, %v", first, err)
	}
	for _, w := range first.Words {
		if w.Start != 0 || w.End != 0 || w.Confidence != 0 {
			t.Errorf("word of a partial %+v", w)
		}
	}
	speak(t, u, samples[2*asr.Rate:])
	if final, _ := outcome(t, u); len(final.Words) < 10 {
		t.Errorf("final %q", text(final))
	}
	counts(t, r, func(s Stats) bool { return s.Chunks.Count > 0 && s.Finals.Count == 1 && s.Open == 0 })
}

// Anything at all may be said to the recognizer, from nothing on.
func TestOddUtterances(t *testing.T) {
	r := shared(t)
	for name, samples := range odd() {
		final, _ := recognize(t, r, asr.Params{Partials: true}, samples)
		if len(samples) < minSamples && len(final.Words) > 0 {
			t.Errorf("%s: %q", name, text(final))
		}
		sane(t, final, len(samples))
	}
}

func odd() map[string][]int16 {
	square := make([]int16, 8000)
	for i := range square {
		square[i] = 32767
		if i/40%2 == 1 {
			square[i] = -32768
		}
	}
	out := map[string][]int16{
		"nothing": nil, "silence": make([]int16, 16000), "noise": hiss(16000, 32767), "square": square,
	}
	for _, n := range []int{1, 159, 160, 409, 410, 411, 569, 570, 571, 800, 1600, 1601} {
		out["hiss of "+string(rune('0'+n%10))+" "+string(rune('0'+n/160))] = hiss(n, 1000)
	}
	return out
}

func sane(t *testing.T, final asr.Result, n int) {
	t.Helper()
	last := 0
	for _, w := range final.Words {
		if w.Text == "" || w.Start < last || w.End < w.Start || w.End > n || w.Confidence <= 0 || w.Confidence > 1 {
			t.Errorf("word %+v after %d of %d", w, last, n)
		}
		last = w.Start
	}
}

func TestManyAtOnce(t *testing.T) {
	r := start(t, small(Config{Slots: 2, Decoders: 4}))
	speech := librivox(t, "0930")[:24000]
	want, _ := recognize(t, r, asr.Params{}, speech)
	var wait sync.WaitGroup
	for i := range 12 {
		wait.Go(func() {
			p := asr.Params{Partials: true}
			if i%4 == 0 {
				p.Priority = asr.Replay
			}
			if got, _ := recognize(t, r, p, speech); text(got) != text(want) {
				t.Errorf("%d: %q, want %q", i, text(got), text(want))
			}
		})
	}
	wait.Wait()
	counts(t, r, func(s Stats) bool {
		return s.Finals.Count == 13 && s.Open == 0 && s.Speaking == 0 && s.FinalIdle == 2 && s.Dropped[DropReplay] == 3
	})
}

// counts waits for figures: a piece of work counts when it has returned, a moment after it has set
// the final.
func counts(t *testing.T, r *Recognizer, want func(Stats) bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !want(r.Stats()); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Errorf("stats %+v", r.Stats())
			return
		}
	}
}

func TestCancelFreesEverything(t *testing.T) {
	r := start(t, small(Config{Slots: 1, Decoders: 2}))
	speech := librivox(t, "0870")
	for _, ended := range []bool{false, true} {
		ctx, cancel := context.WithCancel(t.Context())
		var open []asr.Stream
		for range 5 {
			u, err := r.Open(ctx, asr.Params{Partials: true})
			if err != nil {
				t.Fatal(err)
			}
			if err := u.Write(speech[:16000]); err != nil {
				t.Fatal(err)
			}
			if ended {
				if err := u.End(); err != nil {
					t.Fatal(err)
				}
			}
			open = append(open, u)
		}
		cancel()
		for _, u := range open {
			for {
				res, err := u.Recv()
				if err == nil && !res.Final {
					continue
				}
				if !errors.Is(err, context.Canceled) && !(ended && res.Final) {
					t.Errorf("ended %v: %+v, %v", ended, res, err)
				}
				break
			}
			if err := u.Write(speech[:160]); err == nil {
				t.Error("Write after the end of its context")
			}
		}
		if final, _ := recognize(t, r, asr.Params{Partials: true}, speech); len(final.Words) < 10 {
			t.Errorf("after cancelling: %q", text(final))
		}
		counts(t, r, func(s Stats) bool {
			return s.Open+s.Speaking+s.LiveFinals+s.FirstPartials+s.LaterPartials == 0
		})
	}
	if _, err := r.Open(cancelledContext(), asr.Params{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Open: %v", err)
	}
}

func TestCloseFailsWhatIsOpen(t *testing.T) {
	r := start(t, small(Config{Slots: 1, Decoders: 2}))
	u, err := r.Open(t.Context(), asr.Params{Partials: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := u.Write(librivox(t, "0870")); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := u.Recv(); !errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("Recv: %v", err)
	}
	if err := u.Write(nil); !errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("Write: %v", err)
	}
	if _, err := r.Open(t.Context(), asr.Params{}); !errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("Open: %v", err)
	}
}

func TestOpenRefuses(t *testing.T) {
	r := start(t, small(Config{Slots: 1, Decoders: 1, Utterances: 1}))
	if _, err := r.Open(t.Context(), asr.Params{Language: "haw"}); !errors.Is(err, asr.ErrLanguage) {
		t.Errorf("another language: %v", err)
	}
	u, err := r.Open(t.Context(), asr.Params{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Open(t.Context(), asr.Params{}); !errors.Is(err, asr.ErrBusy) {
		t.Errorf("one too many: %v", err)
	}
	if err := u.End(); err != nil {
		t.Fatal(err)
	}
	if err := u.End(); err == nil {
		t.Error("ended twice")
	}
	if err := u.Write(make([]int16, 1)); err == nil {
		t.Error("written after the end")
	}
	if final, _ := outcome(t, u); len(final.Words) != 0 || !final.Final {
		t.Errorf("final of nothing %+v", final)
	}
	if _, err := r.Open(t.Context(), asr.Params{}); err != nil {
		t.Errorf("after the first is over: %v", err)
	}
}

func FuzzSamples(f *testing.F) {
	r := start(f, small(Config{Slots: 1, Decoders: 2}))
	for _, s := range odd() {
		b := make([]byte, 0, 2*len(s))
		for _, v := range s[:min(len(s), 2000)] {
			b = append(b, byte(v), byte(uint16(v)>>8))
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		own := make([]int16, min(len(b)/2, 4*asr.Rate))
		for i := range own {
			own[i] = int16(uint16(b[2*i]) | uint16(b[2*i+1])<<8)
		}
		samples := slices.Clone(own)
		for len(own) > 0 && len(samples) < asr.Rate/2 { // little input is repeated: what makes no frame tests nothing
			samples = append(samples, own...)
		}
		for _, s := range [][]int16{own, samples} {
			final, _ := recognize(t, r, asr.Params{Partials: true}, s)
			sane(t, final, len(s))
		}
	})
}

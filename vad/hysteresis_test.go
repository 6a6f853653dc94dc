package vad

import (
	"testing"

	"pgregory.net/rapid"
)

// probabilities draws a sequence that lingers and jumps as real ones do.
func probabilities(t *rapid.T) []float64 {
	var out []float64
	for range rapid.IntRange(1, 12).Draw(t, "stretches") {
		level := rapid.Float64Range(0, 1).Draw(t, "level")
		spread := rapid.SampledFrom([]float64{0, 0.05, 0.5}).Draw(t, "spread")
		for range rapid.IntRange(1, 60).Draw(t, "long") {
			p := level + spread*rapid.Float64Range(-1, 1).Draw(t, "p")
			out = append(out, max(0, min(1, p)))
		}
	}
	return out
}

// called returns which frames a hysteresis calls speech: from the first frame of a
// run that was believed to the last that held, the bridged ones included.
func called(p []float64, threshold float64, wait int) []bool {
	h := newHysteresis(threshold, wait)
	out := make([]bool, len(p))
	from := 0
	for i, v := range p {
		switch h.push(v) {
		case began:
			from = i + 1 - minSpeech
			fallthrough
		case same:
			if h.speaking && h.gap == 0 {
				for ; from <= i; from++ {
					out[from] = true
				}
			}
		}
	}
	return out
}

func nested(t interface{ Fatalf(string, ...any) }, low, high []bool) {
	for i := range low {
		if high[i] && !low[i] {
			t.Fatalf("frame %d is speech at the higher threshold only", i)
		}
	}
}

func TestAHigherThresholdNeverCallsMoreSpeech(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := probabilities(t)
		wait := rapid.IntRange(1, 50).Draw(t, "wait")
		a, b := rapid.Float64Range(0, 1).Draw(t, "a"), rapid.Float64Range(0, 1).Draw(t, "b")
		nested(t, called(p, min(a, b), wait), called(p, max(a, b), wait))
	})
}

func TestThresholdZeroCallsAllAndOneNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := probabilities(t)
		all, none := called(p, 0, 5), called(p, 1, 5)
		for i := range p {
			if len(p) >= minSpeech && !all[i] {
				t.Fatalf("frame %d of %d is not speech at threshold 0", i, len(p))
			}
			if none[i] {
				t.Fatalf("frame %d is speech at threshold 1", i)
			}
		}
	})
}

func TestShortBlipsAreNotSpeech(t *testing.T) {
	for frames, want := range map[int]bool{minSpeech - 1: false, minSpeech: true} {
		p := make([]float64, 100)
		for i := range frames {
			p[40+i] = 1
		}
		if got := called(p, DefaultThreshold, 20)[40]; got != want {
			t.Errorf("%d frames: speech is %v", frames, got)
		}
	}
}

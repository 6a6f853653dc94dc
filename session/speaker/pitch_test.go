package speaker

import (
	"math"
	"testing"
)

// sung is the pitch of a voice, over so many seconds.
func pitchOf(x []int16) *pitchHistogram {
	m := &pitchHistogram{}
	for at := 0; at < len(x); at += 2 * step {
		m.addAt(x, at)
	}
	return m
}

func TestPitch(t *testing.T) {
	x := make([]int16, rate/2)
	for _, hz := range []float64{80, 130, 210, 380} {
		for i := range x { // pulses
			x[i] = int16(8000 * math.Pow(math.Cos(math.Pi*hz*float64(i)/rate), 8))
		}
		var y [longLag + 1 + pitchFrame]float64
		for i := range y {
			y[i] = float64(x[i*decimation])
		}
		if lag, ok := period(&y); !ok || math.Abs(pitchRate/lag-hz) > 0.03*hz {
			t.Errorf("%g Hz: %g, %v", hz, pitchRate/lag, ok)
		}
	}
	if m := pitchOf(quietFor(1, 3)); m.n > 5 {
		t.Errorf("noise is voiced %g times", m.n)
	}
}

// A woman's voice is the higher one, a man's is as high as his own, and silence is no higher than
// anything.
func TestPitchDifference(t *testing.T) {
	low, high, silent := pitchOf(man.speech(3, 1)), pitchOf(woman.speech(3, 2)), pitchOf(make([]int16, rate))
	if d := low.difference(high); d < 0.8 || math.Abs(d-high.difference(low)) > 1e-9 {
		t.Errorf("man and woman: %g, %g", d, high.difference(low))
	}
	if d := low.difference(pitchOf(man.speech(3, 9))); d > 0.2 {
		t.Errorf("a man and himself: %g", d)
	}
	if low.difference(low) > 1e-9 || low.difference(silent) != 0 || silent.difference(low) != 0 {
		t.Errorf("%g, %g", low.difference(low), low.difference(silent))
	}
}

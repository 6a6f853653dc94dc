package speaker

import (
	"math"
	"testing"
)

// sung is the pitch of a voice, over so many seconds.
func sung(x []int16) *melody {
	m := &melody{}
	for at := 0; at < len(x); at += 2 * step {
		m.hears(x, at)
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
			y[i] = float64(x[i*thinned])
		}
		if lag, ok := period(&y); !ok || math.Abs(pitchRate/lag-hz) > 0.03*hz {
			t.Errorf("%g Hz: %g, %v", hz, pitchRate/lag, ok)
		}
	}
	if m := sung(quietFor(1, 3)); m.n > 5 {
		t.Errorf("noise is voiced %g times", m.n)
	}
}

// A woman's voice is the higher one, a man's is as high as his own, and silence is no higher than anything.
func TestMelodiesDiffer(t *testing.T) {
	low, high, silent := sung(man.says(3, 1)), sung(woman.says(3, 2)), sung(make([]int16, rate))
	if d := low.differs(high); d < 0.8 || math.Abs(d-high.differs(low)) > 1e-9 {
		t.Errorf("man and woman: %g, %g", d, high.differs(low))
	}
	if d := low.differs(sung(man.says(3, 9))); d > 0.2 {
		t.Errorf("a man and himself: %g", d)
	}
	if low.differs(low) > 1e-9 || low.differs(silent) != 0 || silent.differs(low) != 0 {
		t.Errorf("%g, %g", low.differs(low), low.differs(silent))
	}
}

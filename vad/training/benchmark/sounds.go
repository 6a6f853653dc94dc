package benchmark

import (
	"fmt"

	"steno/vad/training/corpus"
	"steno/vad/training/noise"
)

// Steady are sounds that never hold speech and are easy to recognize: nothing of them may be called
// speech. The longer ones change level on the way.
func Steady() []corpus.Clip {
	r := noise.Seed(7)
	clip := func(name string, x []float64) corpus.Clip {
		return corpus.Clip{Name: name, Samples: x[:len(x)/corpus.Frame*corpus.Frame]}
	}
	s := noise.Seconds
	out := []corpus.Clip{
		clip("zeros", make([]float64, s(10))),
		clip("dither", noise.Scale(noise.White(s(10), r), 1.0/32768)),
		clip("pink", noise.At(-30, noise.Pink(s(30), r))),
		clip("brown", noise.At(-30, noise.Brown(s(30), r))),
		clip("step of 20 dB", noise.Step(s(30), 10, 20, 20, r)),
		clip("hum", noise.At(-35, noise.Hum(s(15)))),
		clip("tone 440", noise.Scale(noise.Tones(s(10), 440), 0.3)),
		clip("tone 1000", noise.Scale(noise.Tones(s(10), 1000), 0.1)),
		clip("dial tone", noise.Dial(s(10))),
		clip("ringback", noise.Ringback(s(24))),
		clip("busy", noise.Busy(s(12))),
		clip("dtmf", noise.DTMF("15903724680", 0.5, 1)),
		clip("dtmf fast", noise.DTMF("5559173402", 0.1, 0.1)),
	}
	for db := -80.0; db <= -10; db += 10 {
		out = append(out, clip(fmt.Sprintf("white %g", db), noise.At(db, noise.White(s(20), r))))
	}
	return out
}

// Lively are sounds that change as speech does.
func Lively() (music, others []corpus.Clip) {
	r := noise.Seed(77)
	s := noise.Seconds
	music = []corpus.Clip{{Name: "music", Samples: noise.At(-22, noise.Join(noise.Music(s(20), r),
		noise.Music(s(20), r)))}}
	others = []corpus.Clip{
		{Name: "clicks", Samples: noise.At(-35, noise.Clicks(s(20), r))},
		{Name: "siren", Samples: noise.Scale(noise.Siren(s(15)), 0.1)},
	}
	return music, others
}

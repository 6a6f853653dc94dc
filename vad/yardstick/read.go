package yardstick

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"time"

	"steno/vad"
	"steno/vad/corpus"
	"steno/vad/noise"
)

// Cutting is how read recordings fall into utterances at an endpointing.
type Cutting struct {
	Endpointing int64 // samples
	Clips       int
	Utterances  int
	Seconds     float64 // of audio in utterances
	Forced      int
}

func (c Cutting) String() string {
	return fmt.Sprintf("endpointing %.2f s: %d clips, %d utterances (%d cut by force), mean %.2f s",
		float64(c.Endpointing)/noise.Rate, c.Clips, c.Utterances, c.Forced, c.Seconds/float64(max(c.Utterances, 1)))
}

// Cut finds the utterances of each clip by itself.
func Cut(n *vad.Network, clips []corpus.Clip, endpointing int64) Cutting {
	c := Defaults
	c.Endpointing = endpointing
	out := Cutting{Endpointing: endpointing, Clips: len(clips)}
	for _, clip := range clips {
		for _, s := range Segments(n, c, noise.PCM(clip.Samples)) {
			out.Utterances++
			out.Seconds += float64(s.Upto-s.From) * corpus.Frame / corpus.Rate
			if s.Forced {
				out.Forced++
			}
		}
	}
	return out
}

// Cost measures the time and the allocations of a frame that is not silence.
func Cost() Row {
	x := make([]int16, 100*vad.FrameSamples)
	r := rand.New(rand.NewPCG(1, 1))
	for i := range x {
		x[i] = int16(r.NormFloat64() * 1000)
	}
	d, e := vad.NewDetector(), vad.NewEndpointer(Defaults)
	const frames = 20000
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	for i := range frames {
		frame := x[i%100*vad.FrameSamples:][:vad.FrameSamples]
		e.Frame(frame, d.Frame(frame))
	}
	us := time.Since(start).Seconds() * 1e6 / frames
	runtime.ReadMemStats(&after)
	none := after.Mallocs-before.Mallocs < frames/100
	return Row{
		What: "cost of 10 ms", Must: "<=20 us, 0 allocations", Stretch: "<=10 us",
		Reached: fmt.Sprintf("%.1f us, %d allocations in %d frames", us, after.Mallocs-before.Mallocs, frames),
		OK:      us <= 20 && none, Good: us <= 10 && none,
	}
}

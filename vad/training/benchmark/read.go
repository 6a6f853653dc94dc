package benchmark

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"time"

	"steno/vad"
	"steno/vad/training/corpus"
	"steno/vad/training/noise"
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

// Cut finds the utterances of each clip separately.
func (d Detector) Cut(clips []corpus.Clip, endpointing int64) Cutting {
	c := Defaults
	c.Endpointing = endpointing
	out := Cutting{Endpointing: endpointing, Clips: len(clips)}
	for _, clip := range clips {
		for _, s := range d.Segments(c, noise.PCM(clip.Samples)) {
			out.Utterances++
			out.Seconds += float64(s.Upto-s.From) * corpus.Frame / corpus.Rate
			if s.Forced {
				out.Forced++
			}
		}
	}
	return out
}

// Cost measures the time and the allocations of a frame of speech and of one of steady
// noise, endpointer included.
func Cost(speech []int16) []Row {
	steady := make([]int16, 60*noise.Rate)
	r := rand.New(rand.NewPCG(1, 1))
	for i := range steady {
		steady[i] = int16(r.NormFloat64() * 100)
	}
	return []Row{
		cost("cost of 10 ms of speech", speech, 5, 2.5),
		cost("cost of 10 ms of steady noise", steady, 1.5, 0.5),
	}
}

func cost(what string, x []int16, must, stretch float64) Row {
	const rounds, long = 7, 50 // frames measured together: others use the machine too
	pieces := make([]time.Duration, len(x)/vad.FrameSamples/long)
	var before, after runtime.MemStats
	for round := range rounds {
		d, e := vad.NewDetector(), vad.NewEndpointer(Defaults)
		runtime.ReadMemStats(&before)
		for i := range pieces {
			start := time.Now()
			for k := range long {
				frame := x[(i*long+k)*vad.FrameSamples:][:vad.FrameSamples]
				e.Frame(frame, d.Frame(frame))
			}
			if taken := time.Since(start); round == 0 || taken < pieces[i] {
				pieces[i] = taken
			}
		}
		runtime.ReadMemStats(&after)
	}
	var sum time.Duration
	for _, p := range pieces {
		sum += p
	}
	us := sum.Seconds() * 1e6 / float64(len(pieces)*long)
	allocated := after.Mallocs - before.Mallocs
	none := allocated < uint64(len(pieces))
	return Row{
		What: what, Must: fmt.Sprintf("<=%g us, 0 allocations", must), Stretch: fmt.Sprintf("<=%g us", stretch),
		Reached: fmt.Sprintf("%.2f us, %d allocations in %d frames", us, allocated, len(pieces)*long),
		OK:      us <= must && none, Good: us <= stretch && none,
	}
}

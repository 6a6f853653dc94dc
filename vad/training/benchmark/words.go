package benchmark

import (
	"fmt"
	"math/rand/v2"

	"steno/vad/training/corpus"
	"steno/vad/training/noise"
)

// around is how much lies on each side of a word that is not alone: 1.5 s.
const around = 150 // frames

// Words measures how many of single words are heard, each a stream of its own: as they were
// recorded, and with white noise before, after and within.
func (d Detector) Words(set string, clips []corpus.Clip) []Row {
	row := func(what string, must, stretch float64, lsb float64) Row {
		heard := 0
		r := noise.Seed(5)
		for _, c := range clips {
			if d.hears(c.Samples, lsb, noise.Seed(r.Uint64())) {
				heard++
			}
		}
		share := percent(heard, len(clips))
		return Row{
			What: set + ", " + what, Must: fmt.Sprintf(">=%g %%", must), Stretch: fmt.Sprintf(">=%g %%", stretch),
			Reached: fmt.Sprintf("%d of %d", heard, len(clips)), OK: share >= must, Good: share >= stretch,
			HeldOut: true,
		}
	}
	return []Row{
		row("unpadded", 93, 98, 0),
		row("noise of 3 LSB", 97, 99.5, 3),
		row("noise of 30 LSB", 97, 99.5, 30),
	}
}

// hears reports whether a segment overlaps the word.
func (d Detector) hears(x []float64, lsb float64, r *rand.Rand) bool {
	from, to := 0, len(x)/corpus.Frame
	if lsb > 0 {
		pause := make([]float64, around*corpus.Frame)
		x = noise.Join(pause, x, pause)
		x = noise.Add(x, noise.White(len(x), r), lsb/32768)
		from, to = from+around, to+around
	}
	for _, s := range d.Segments(Defaults, noise.PCM(x)) {
		if s.Onset < to && s.End > from {
			return true
		}
	}
	return false
}

// Flagged measures how much of clips, short sentences and commands, is called speech.
func (d Detector) Flagged(what string, must, stretch float64, clips []corpus.Clip) Row {
	t := d.measure(clips...)
	return Row{
		What: what, Must: fmt.Sprintf(">=%g %%", must), Stretch: fmt.Sprintf(">=%g %%", stretch),
		Reached: fmt.Sprintf("%.0f %%", t.called()), OK: t.called() >= must, Good: t.called() >= stretch, HeldOut: true,
	}
}

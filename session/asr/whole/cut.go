package whole

import "steno/session/asr"

const (
	cutStep  = asr.Rate / 100 // the grid on which long audio is cut
	cutQuiet = asr.Rate / 5   // the length of the silence to look for
)

// Cut divides samples into parts of at most the given length, each cut in the middle of the
// quietest 0.2 s of the second half of what could be taken, the latest of equals. The parts share
// the memory of samples. most is 1 s at least; 0: no limit.
func Cut(samples []int16, most int) [][]int16 {
	var parts [][]int16
	for most > 0 && len(samples) > most {
		at := place(samples, most)
		parts = append(parts, samples[:at])
		samples = samples[at:]
	}
	return append(parts, samples)
}

// place returns where a piece of more than most samples is cut. It depends on the first most
// samples alone.
func place(samples []int16, most int) int { return Quietest(samples, most/2, most) }

// Quietest returns the middle of the 0.2 s with the least energy that lie within samples[from:to],
// the latest of equals. There must be 0.2 s.
func Quietest(samples []int16, from, to int) int {
	best, least := from, int64(-1)
	for at := from; at+cutQuiet <= to; at += cutStep {
		energy := int64(0)
		for _, s := range samples[at : at+cutQuiet] {
			energy += int64(s) * int64(s)
		}
		if least < 0 || energy <= least {
			best, least = at, energy
		}
	}
	return best + cutQuiet/2
}

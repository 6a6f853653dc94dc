package sherpa

import "steno/session/asr"

const (
	cutStep  = asr.Rate / 100 // the grid on which long audio is cut
	cutQuiet = asr.Rate / 5   // the length of the silence looked for
)

// cut divides samples into parts of at most the given length, each cut where 0.2 s are the quietest of the second half of
// what could be taken; of equals the latest. The parts are parts of samples. most is 1 s at least; 0: no limit.
func cut(samples []int16, most int) [][]int16 {
	var parts [][]int16
	for most > 0 && len(samples) > most {
		at := quietest(samples, most/2, most-cutQuiet) + cutQuiet/2
		parts = append(parts, samples[:at])
		samples = samples[at:]
	}
	return append(parts, samples)
}

// quietest returns where in [from, to] the stretch of cutQuiet samples of the least energy begins.
func quietest(samples []int16, from, to int) int {
	best, least := from, int64(-1)
	for at := from; at <= to; at += cutStep {
		energy := int64(0)
		for _, s := range samples[at : at+cutQuiet] {
			energy += int64(s) * int64(s)
		}
		if least < 0 || energy <= least {
			best, least = at, energy
		}
	}
	return best
}

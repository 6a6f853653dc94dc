//go:build linux && amd64

package sphinx

import (
	"math"
	"slices"

	"steno/session/asr"
)

// utterances cuts a clip where the power stays low for pause samples, after longest samples at the
// latest; pre-roll and closing silence belong to the utterance, none overlap. It is as simple as
// can be: speech is what lies 9 dB above the clip's floor.
func utterances(samples []int16, pause, longest int) [][]int16 {
	const preroll = asr.Rate / 5
	loud := loudFrames(samples)
	var out [][]int16
	begin, quiet, free := -1, 0, 0
	for i, l := range loud {
		at := (i + 1) * frame
		switch {
		case begin < 0 && l:
			begin, quiet = max(i*frame-preroll, free), 0
		case begin >= 0 && l:
			quiet = 0
		case begin >= 0:
			quiet += frame
		}
		if begin >= 0 && (quiet >= pause || at-begin >= longest) {
			out = append(out, samples[begin:at])
			begin, free = -1, at
		}
	}
	if begin >= 0 {
		out = append(out, samples[begin:])
	}
	return out
}

func loudFrames(samples []int16) []bool {
	var level []float64
	for i := 0; i+frame <= len(samples); i += frame {
		power, before := 1.0, 0.0
		for _, v := range samples[i : i+frame] {
			d := float64(v) - 0.9*before
			before = float64(v)
			power += d * d / frame
		}
		level = append(level, 10*math.Log10(power))
	}
	ranked := slices.Sorted(slices.Values(level))
	floor := ranked[len(ranked)/20]
	out := make([]bool, len(level))
	for i, l := range level {
		out[i] = l > floor+9
	}
	return out
}

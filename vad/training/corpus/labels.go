package corpus

import (
	"math"
	"slices"
)

// ByEnergy labels a clean recording of one voice by its level: frames within 30 dB of
// the loud ones are speech, with pauses up to 0.3 s; blips and the edges are unclear.
func ByEnergy(x []float64) []Label {
	level := levels(x, false)
	n := len(level)
	if n == 0 {
		return nil
	}
	sorted := slices.Sorted(slices.Values(level))
	loud, soft := sorted[n*95/100], sorted[n*5/100]
	threshold := min(max(loud-30, soft+6), loud-18)
	labels := make([]Label, n)
	last := -1
	for i, l := range level {
		if l <= threshold {
			continue
		}
		if last >= 0 && i-last <= 30 {
			fill(labels[last:i], Speech)
		}
		labels[i], last = Speech, i
	}
	blurEdges(labels)
	return labels
}

func fill(labels []Label, l Label) {
	for i := range labels {
		labels[i] = l
	}
}

// blurEdges makes blips under 50 ms, and some frames about every edge, unclear.
func blurEdges(labels []Label) {
	for i := 0; i < len(labels); i++ {
		if labels[i] != Speech {
			continue
		}
		end := i
		for end < len(labels) && labels[end] == Speech {
			end++
		}
		if end-i < 5 {
			fill(labels[i:end], Unclear)
		}
		fill(labels[max(0, i-3):i], Unclear)
		fill(labels[end:min(len(labels), end+5)], Unclear)
		i = end
	}
}

// levels are the frames' levels in dB, without the lows if asked.
func levels(x []float64, highPass bool) []float64 {
	out := make([]float64, len(x)/Frame)
	y, last := 0.0, 0.0
	for i := range out {
		sum := 1e-9
		for _, v := range x[i*Frame : (i+1)*Frame] {
			if y, last = 0.94*(y+v-last), v; !highPass {
				y = v
			}
			sum += y * y
		}
		out[i] = 10 * math.Log10(sum/Frame)
	}
	return out
}

// SpeechRMS is the root of the mean power of the frames labelled as speech.
func SpeechRMS(x []float64, labels []Label) float64 {
	sum, n := 0.0, 0
	for i, l := range labels {
		if l != Speech {
			continue
		}
		for _, v := range x[i*Frame : (i+1)*Frame] {
			sum += v * v
		}
		n += Frame
	}
	return math.Sqrt(sum / float64(max(n, 1)))
}

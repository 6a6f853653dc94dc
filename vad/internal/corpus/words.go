package corpus

import "math/rand/v2"

// Words cuts recordings into pieces of 0.25 to 0.8 s of speech, about a word or two,
// faded in and out over 10 ms. It takes every so many of them.
func Words(clips []Clip, every int, r *rand.Rand) []Clip {
	var out []Clip
	n := 0
	for _, c := range clips {
		labels := ByEnergy(c.Samples)
		for at := 0; at < len(labels); {
			long := 25 + r.IntN(56)
			if at+long > len(labels) {
				break
			}
			if labels[at] != Speech {
				at++
				continue
			}
			if n%every == 0 {
				out = append(out, faded(c.Samples[at*Frame:(at+long)*Frame]))
			}
			n++
			at += long
		}
	}
	return out
}

func faded(x []float64) Clip {
	out := append([]float64(nil), x...)
	for i := range Frame {
		g := float64(i) / Frame
		out[i] *= g
		out[len(out)-1-i] *= g
	}
	return Clip{Samples: out}
}

package audio

import "math"

// band is a filter that leaves what carries speech: hum, constant offsets and, above all, the noise
// that codecs put in the place of high frequencies are left out. It belongs to one channel of a
// stream.
type band struct {
	high float64 // of the high-pass: what is kept of the sample before
	low  biquad  // coefficients of the low-pass, which is run twice
	last float64 // sample before it
	kept float64 // what the high-pass gave for it
	runs [2]history
}

const (
	bandFrom = 100.0  // Hz
	bandTo   = 3000.0 // Hz
)

// newBand makes the filter for a rate.
func newBand(rate int) band {
	return band{high: math.Exp(-2 * math.Pi * bandFrom / float64(rate)), low: lowpass(bandTo, float64(rate))}
}

// run filters samples in place.
func (b *band) run(samples []float64) {
	for i, v := range samples {
		b.kept = v - b.last + b.high*b.kept
		b.last = v
		samples[i] = b.low.next(&b.runs[1], b.low.next(&b.runs[0], b.kept))
	}
}

// biquad is a filter of second order; a0 is 1.
type biquad struct{ b0, b1, b2, a1, a2 float64 }

// history is what a biquad has to know of the samples before.
type history struct{ z1, z2 float64 }

// next filters a sample (transposed direct form II).
func (q biquad) next(h *history, in float64) float64 {
	out := q.b0*in + h.z1
	h.z1 = q.b1*in - q.a1*out + h.z2
	h.z2 = q.b2*in - q.a2*out
	return out
}

// lowpass is a Butterworth filter, by the bilinear transform.
func lowpass(cut, rate float64) biquad {
	w := 2 * math.Pi * cut / rate
	alpha := math.Sin(w) / math.Sqrt2
	a0, b := 1+alpha, 1-math.Cos(w)
	return biquad{b / 2 / a0, b / a0, b / 2 / a0, -2 * math.Cos(w) / a0, (1 - alpha) / a0}
}

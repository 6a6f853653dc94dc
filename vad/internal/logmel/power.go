package logmel

import "math"

// rotation is cos and sin of -2 pi k / winSize, at k-1.
var rotation = newRotation()

type rotations struct{ cos, sin [points / 2]float32 }

func newRotation() *rotations {
	r := new(rotations)
	for i := range r.cos {
		s, c := math.Sincos(-2 * math.Pi * float64(i+1) / winSize)
		r.cos[i], r.sin[i] = float32(c), float32(s)
	}
	return r
}

// powers sets the power of each bin but the first: from the transform of 256 complex
// points, the even samples and i times the odd ones, to that of 512 real ones. Bins k and
// points-k come from the same two points.
func powers(power *[points]float32, x *spectrum) {
	for k := 1; k <= points/2; k++ {
		j := points - k
		evenR, evenI := x.re[k]+x.re[j], x.im[k]-x.im[j]
		oddR, oddI := x.im[k]+x.im[j], x.re[j]-x.re[k]
		turnedR, turnedI := turn(oddR, oddI, rotation.cos[k-1], rotation.sin[k-1])
		power[k] = square(evenR+turnedR, evenI+turnedI)
		power[j] = square(evenR-turnedR, turnedI-evenI)
	}
}

// square is that of a complex number's absolute value.
func square(r, i float32) float32 { return float32(r*r) + float32(i*i) }

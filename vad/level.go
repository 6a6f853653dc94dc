package vad

import "math"

// The high-pass of a frame's level takes out DC and rumble below 80 Hz: a sample of its
// output is the one before, plus the change of its input, times pole.
const pole = 0.97

// A frame is filtered in parts, each as if nothing had been before it: they do not wait for each
// other. The remainder of the part before fades by pole with each sample, and is added afterwards,
// to a part's last sample and to its sum of squares.
const (
	parts       = 8
	partSamples = FrameSamples / parts
)

// filtered is what the high-pass makes of each part.
type filtered struct {
	last    [parts]float64 // sample
	squares [parts]float64 // summed up
	fading  [parts]float64 // sum of the products with the powers of pole
}

// faded holds the first powers of pole and the sum of their squares.
var faded = newFaded()

type fading struct {
	power   [partSamples]float64
	squares float64
}

func newFaded() *fading {
	f := new(fading)
	v := 1.0
	for i := range f.power {
		v *= pole
		f.power[i] = v
		f.squares += float64(v * v)
	}
	return f
}

// measure returns the level of a frame in dB, high-passed. A floor of 10 LSB rms is
// added, so that dither does not count as sound.
func (h *past) measure(samples []int16) float32 {
	var x [1 + FrameSamples]int16
	copy(x[1:], samples)
	x[0] = x[1] // the step from the frame before is part of that remainder
	left := h.out + (float64(x[1]) - h.in)
	var f filtered
	highPass(&f, &x, faded)
	power := 100.0 * FrameSamples
	for i, v := range f.squares {
		power += v + float64(left*(float64(2*f.fading[i])+float64(left*faded.squares)))
		left = f.last[i] + float64(left*faded.power[partSamples-1])
	}
	h.in, h.out = float64(x[FrameSamples]), left
	if math.Abs(h.out) < 1e-6 {
		h.out = 0 // before it gets so small that arithmetic is slow
	}
	return float32(10 * math.Log10(power/FrameSamples))
}

// plainHighPass filters the samples but the first, which is the one before them.
func plainHighPass(to *filtered, x *[1 + FrameSamples]int16, f *fading) {
	for i := range parts {
		part := x[i*partSamples:][:1+partSamples]
		var out, squares, product float64
		for k, power := range f.power {
			out = float64(pole * (out + float64(int32(part[k+1])-int32(part[k]))))
			squares += float64(out * out)
			product += float64(out * power)
		}
		to.last[i], to.squares[i], to.fading[i] = out, squares, product
	}
}

package logmel

import "math"

const (
	points  = 256        // complex points of the transform
	quarter = points / 4 // from one to the next of the four points of a butterfly
	winSize = 2 * points // samples of a window: 32 ms
	beside  = 8          // numbers that lie side by side in a vector
)

// spectrum is that many complex numbers, or what each of their parts is multiplied with.
type spectrum struct{ re, im [points]float32 }

// window is the one that samples are weighed with, times scale: re at even ones and im at odd ones.
var window = newWindow()

func newWindow() *spectrum {
	w := new(spectrum)
	at := func(i int) float32 { return float32(scale * (0.5 - 0.5*math.Cos(2*math.Pi*(float64(i)+0.5)/winSize))) }
	for i := range points {
		w.re[i], w.im[i] = at(2*i), at(2*i+1)
	}
	return w
}

// twiddles are the factors of eight butterflies that lie side by side: cos and sin of one,
// two and three times an angle.
type twiddles [6][beside]float32

// set sets the angle of the butterfly at the lane to that of point i of the transform.
func (t *twiddles) set(lane, i int) {
	for m := 1; m <= 3; m++ {
		s, c := math.Sincos(-2 * math.Pi * float64(m*i) / points)
		t[2*m-2][lane], t[2*m-1][lane] = float32(c), float32(s)
	}
}

// factors are the twiddles of the points of the first quarter.
var factors = newFactors()

func newFactors() *[quarter / beside]twiddles {
	f := new([quarter / beside]twiddles)
	for i := range quarter {
		f[i/beside].set(i%beside, i)
	}
	return f
}

// weigh makes the even samples, weighed, the real parts and the odd ones the imaginary parts.
func (x *spectrum) weigh(samples *[winSize]int16) {
	for i := range points {
		x.re[i] = float32(samples[2*i]) * window.re[i]
		x.im[i] = float32(samples[2*i+1]) * window.im[i]
	}
}

// transform is the discrete Fourier transform of 256 complex points, from a to a: four
// passes of radix 4 that sort as they go (T. G. Stockham). b is scratch memory.
func transform(a, b *spectrum) {
	pass(b, a, 1)
	pass(a, b, 4)
	pass(b, a, 16)
	pass(a, b, 64)
}

// pass does a pass's butterflies: each of the four points that lie a quarter apart, which
// it leaves `apart` apart. Those of the last pass are turned by nothing.
func pass(to, from *spectrum, apart int) {
	for a := range quarter {
		b, c, d := a+quarter, a+2*quarter, a+3*quarter
		sr, si := from.re[a]+from.re[c], from.im[a]+from.im[c]
		tr, ti := from.re[a]-from.re[c], from.im[a]-from.im[c]
		ur, ui := from.re[b]+from.re[d], from.im[b]+from.im[d]
		vr, vi := from.im[b]-from.im[d], from.re[d]-from.re[b]
		within := a % apart
		w, lane := &factors[(a-within)/beside], (a-within)%beside
		i := 4*a - 3*within
		to.re[i], to.im[i] = sr+ur, si+ui
		i += apart
		to.re[i], to.im[i] = turn(tr+vr, ti+vi, w[0][lane], w[1][lane])
		i += apart
		to.re[i], to.im[i] = turn(sr-ur, si-ui, w[2][lane], w[3][lane])
		i += apart
		to.re[i], to.im[i] = turn(tr-vr, ti-vi, w[4][lane], w[5][lane])
	}
}

// turn is the product of two complex numbers, each product and sum rounded separately.
func turn(r, i, c, s float32) (float32, float32) {
	return float32(r*c) - float32(i*s), float32(r*s) + float32(i*c)
}

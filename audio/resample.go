package audio

import (
	"math"
	"sync"
)

// resampler is the shared, read-only part of a conversion to 16 kHz: one low-pass prototype,
// designed at the rate up*in = down*Rate and cut into one row of coefficients per output sample of
// a tick.
//
// The prototype has 2*delay*down+1 taps, so its group delay is a whole number of samples at Rate. A
// tick begins at the same phase each time (each rate has whole samples in 10 ms), so output i of
// every tick always uses row i mod up, and rows are read in order.
type resampler struct {
	in, up, down int
	delay        int       // samples at Rate
	taps         int       // coefficients per row
	rows         []float64 // up rows of taps coefficients, in the order the outputs need them, oldest sample first
	newest       []int32   // per output of a tick: index within the tick of the newest input sample it uses
}

// Kaiser's window with this beta leaves ripples of -80 dB (J. F. Kaiser, "Nonrecursive digital
// filter design using the I0-sinh window function", 1974).
const kaiserBeta = 7.857

// newResampler designs the filter for one input rate. cutoff is the -6 dB point in Hz; the
// transition band is about 5 periods of the filter's length wide (at 80 dB), half of it on each
// side.
func newResampler(in int, cutoff float64, delay int) *resampler {
	g := gcd(in, Rate)
	r := &resampler{in: in, up: Rate / g, down: in / g, delay: delay}
	half := delay * r.down
	length := 2*half + 1
	r.taps = (length + r.up - 1) / r.up
	r.rows = make([]float64, r.up*r.taps)
	r.newest = make([]int32, TickSamples)
	for i := range r.newest {
		r.newest[i] = int32(i * r.down / r.up)
	}
	protoRate := float64(r.up * in)
	for row := range r.up {
		phase := row * r.down % r.up
		coef := r.rows[row*r.taps : (row+1)*r.taps]
		sum := 0.0
		for j := range coef {
			// Coefficient j meets the sample taps-1-j before the newest.
			if k := phase + (r.taps-1-j)*r.up; k < length {
				coef[j] = windowedSinc(k-half, half, cutoff/protoRate)
				sum += coef[j]
			}
		}
		// Each row alone has gain 1 at 0 Hz, which also nulls the images of a constant.
		for j := range coef {
			coef[j] /= sum
		}
	}
	return r
}

// windowedSinc is the ideal low-pass impulse response at offset n from its centre, windowed to |n|
// <= half. The cutoff is in cycles per sample.
func windowedSinc(n, half int, cutoff float64) float64 {
	x := 2 * cutoff * float64(n)
	s := 1.0
	if n != 0 {
		s = math.Sin(math.Pi*x) / (math.Pi * x)
	}
	u := float64(n) / float64(half+1)
	return 2 * cutoff * s * besselI0(kaiserBeta*math.Sqrt(1-u*u)) / besselI0(kaiserBeta)
}

// besselI0 is the modified Bessel function of the first kind, order 0, by its power series.
func besselI0(x float64) float64 {
	sum, term := 1.0, 1.0
	for k := 1.0; term > sum*1e-17; k++ {
		term *= (x / 2 / k) * (x / 2 / k)
		sum += term
	}
	return sum
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// history is how many samples before a tick the filter needs.
func (r *resampler) history() int { return r.taps - 1 }

// run filters one tick. x holds history() samples of the past followed by the tick; out gets
// TickSamples samples. The race detector would make it thirty times slower; it watches the callers.
//
//go:norace
func (r *resampler) run(out, x []float64) {
	row := 0
	for i := range out {
		coef := r.rows[row*r.taps : (row+1)*r.taps]
		out[i] = dot(coef, x[r.newest[i]:])
		if row++; row == r.up {
			row = 0
		}
	}
}

// dot has four independent sums because one alone would wait for each addition to end.
//
//go:norace
func dot(a, b []float64) float64 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float64
	i := 0
	for ; i+4 <= len(a); i += 4 {
		x, y := a[i:i+4:i+4], b[i:i+4:i+4]
		s0 += x[0] * y[0]
		s1 += x[1] * y[1]
		s2 += x[2] * y[2]
		s3 += x[3] * y[3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return (s0 + s1) + (s2 + s3)
}

// Downwards the transition is 7 to 8 kHz (delay 2.5 ms): flat to 7 kHz, and nothing above 8 kHz can
// fold back. Upwards from 8 kHz it is 3.5 to 4 kHz (delay 5 ms): telephone speech ends at 3.4 kHz,
// and images begin at 4.
var (
	from8k  = sync.OnceValue(func() *resampler { return newResampler(8000, 3750, 80) })
	from24k = sync.OnceValue(func() *resampler { return newResampler(24000, 7500, 40) })
	from32k = sync.OnceValue(func() *resampler { return newResampler(32000, 7500, 40) })
	from44k = sync.OnceValue(func() *resampler { return newResampler(44100, 7500, 40) })
	from48k = sync.OnceValue(func() *resampler { return newResampler(48000, 7500, 40) })
)

// resamplerFrom returns the shared conversion from a valid rate, nil for Rate itself.
func resamplerFrom(rate int) *resampler {
	switch rate {
	case 8000:
		return from8k()
	case 24000:
		return from24k()
	case 32000:
		return from32k()
	case 44100:
		return from44k()
	case 48000:
		return from48k()
	}
	return nil
}

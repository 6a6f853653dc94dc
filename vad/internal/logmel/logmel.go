// Package logmel turns windows of audio into the logarithms of their power in bands
// spaced on the mel scale: what the detector of speech sees, and what it is fitted on.
package logmel

import "math"

const (
	// Samples is the length of a window: 32 ms at 16 kHz.
	Samples = winSize
	// Bands is the number of bands, from 80 to 7600 Hz.
	Bands = 32

	endBin = 244 // after the last bin of a band
)

// floor is the power of white noise of 1 LSB rms in a bin: what is softer is level.
const floor = winSize * 3.0 / 8 / (32768 * 32768)

// Floor is what Measure gives for a window of zeros.
var Floor = float32(ln(floor))

// scale halves samples of -1 to 1: the sums of pair are of two.
const scale = 0.5 / 32768

// band is a triangle over bins, of weight one in all.
type band struct {
	from   int
	weight []float64
}

var bands = triangles()

// edge is where band i begins, in bins: it has its top at the next edge, and ends at the one after that.
func edge(i int) float64 {
	mel := func(hz float64) float64 { return 2595 * math.Log10(1+hz/700) }
	z := mel(80) + (mel(7600)-mel(80))*float64(i)/(Bands+1)
	return 700 * (math.Pow(10, z/2595) - 1) / (16000.0 / winSize)
}

func triangles() (out [Bands]band) {
	for b := range out {
		low, centre, high := edge(b), edge(b+1), edge(b+2)
		sum := 0.0
		for k := 1; k < endBin; k++ {
			w := min((float64(k)-low)/(centre-low), (high-float64(k))/(high-centre))
			if w <= 0 {
				continue
			}
			if out[b].weight == nil {
				out[b].from = k
			}
			out[b].weight = append(out[b].weight, w)
			sum += w
		}
		for i := range out[b].weight {
			out[b].weight[i] /= sum
		}
	}
	return out
}

// slopes are the sides of the bands: each begins where the one before ends.
var slopes = newSlopes()

type bandSlopes struct {
	end    [Bands + 1]int     // bin after a slope
	weight [endBin][2]float64 // of a bin in the band that falls and in the one that rises there
}

func newSlopes() *bandSlopes {
	s := new(bandSlopes)
	k := 0
	for i := range s.end {
		for ; k < endBin && float64(k) < edge(i+1); k++ {
			if i > 0 {
				s.weight[k][0] = bands[i-1].at(k)
			}
			if i < Bands {
				s.weight[k][1] = bands[i].at(k)
			}
		}
		s.end[i] = k
	}
	return s
}

// at is the weight of bin k.
func (b *band) at(k int) float64 {
	if k -= b.from; k < 0 || k >= len(b.weight) {
		return 0
	}
	return b.weight[k]
}

// Meter measures windows. It holds scratch memory alone: measures do not depend on each
// other. It is not safe for concurrent use.
type Meter struct {
	re, im [points]float64
	power  [points]float64
}

// Measure sets out to the natural logarithms of the bands' power in the window.
func (m *Meter) Measure(window *[Samples]int16, out []float32) {
	weigh(&m.re, &m.im, window)
	transform(&m.re, &m.im)
	m.pairs()
	m.sum(out)
}

// sum sums up the power in the bands. A bin is on the falling side of one band and the
// rising side of the next: both are summed up at a time, each from its first bin to its
// last.
func (m *Meter) sum(out []float32) {
	falls, at := floor, 0
	for s, end := range slopes.end {
		rises := floor
		weight := slopes.weight[at:end]
		for i, p := range m.power[at:end][:len(weight)] {
			falls += weight[i][0] * p
			rises += weight[i][1] * p
		}
		if s > 0 {
			out[s-1] = float32(ln(falls))
		}
		falls, at = rises, end
	}
}

// pairs sets the power of each bin k and of points-k: from the transform of 256 complex points, the even samples and i times
// the odd ones, to that of 512 real ones.
func (m *Meter) pairs() {
	for k := 1; k <= points/2; k++ {
		i, j := tables.reverse[k], tables.reverse[points-k]
		evenR, evenI := m.re[i]+m.re[j], m.im[i]-m.im[j]
		oddR, oddI := m.im[i]+m.im[j], m.re[j]-m.re[i]
		c, d := tables.cos[k], tables.sin[k]
		turnedR, turnedI := c*oddR-d*oddI, c*oddI+d*oddR
		r, x := evenR+turnedR, evenI+turnedI
		m.power[k] = r*r + x*x
		r, x = evenR-turnedR, turnedI-evenI
		m.power[points-k] = r*r + x*x
	}
}

// sqrt2 is the fraction of the root of 2.
const sqrt2 = 0x6a09e667f3bcd

// ln is the natural logarithm to five digits, of positive numbers that are not tiny.
func ln(x float64) float64 {
	const fraction = 1<<52 - 1
	bits := math.Float64bits(x)
	above := (sqrt2 - bits&fraction) >> 63 // 1 where the fraction is beyond that of the root of 2: it is halved
	exponent := int(bits>>52+above) - 1023
	m := math.Float64frombits(bits&fraction | (1023-above)<<52)
	t := (m - 1) / (m + 1)
	q := t * t
	return float64(exponent)*math.Ln2 + t*(2+q*(2.0/3+q*(2.0/5+q*(2.0/7))))
}

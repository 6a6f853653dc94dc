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

// band is a triangle over bins, of weight one in all.
type band struct {
	from   int
	weight []float64
}

var bands = triangles()

func triangles() (out [Bands]band) {
	mel := func(hz float64) float64 { return 2595 * math.Log10(1+hz/700) }
	bin := func(i int) float64 {
		z := mel(80) + (mel(7600)-mel(80))*float64(i)/(Bands+1)
		return 700 * (math.Pow(10, z/2595) - 1) / (16000.0 / winSize)
	}
	for b := range out {
		low, centre, high := bin(b), bin(b+1), bin(b+2)
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

// Meter measures windows. It holds scratch memory alone: measures do not depend on each
// other. It is not safe for concurrent use.
type Meter struct {
	re, im [points]float64
	power  [points]float64
}

// Measure sets out to the natural logarithms of the bands' power in the window.
func (m *Meter) Measure(window *[Samples]int16, out []float32) {
	const scale = 0.5 / 32768 // halved: the sums below are of two
	for i := range m.re {
		m.re[i] = float64(window[2*i]) * tables.window[2*i] * scale
		m.im[i] = float64(window[2*i+1]) * tables.window[2*i+1] * scale
	}
	transform(&m.re, &m.im)
	for k := 1; k <= points/2; k++ {
		m.pair(k)
	}
	for b := range out[:Bands] {
		sum := floor
		power := m.power[bands[b].from:]
		for i, w := range bands[b].weight {
			sum += w * power[i]
		}
		out[b] = float32(ln(sum))
	}
}

// pair sets the power of bins k and points-k: from the transform of 256 complex points,
// the even samples and i times the odd ones, to that of 512 real ones.
func (m *Meter) pair(k int) {
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

// ln is the natural logarithm to five digits, of positive numbers that are not tiny.
func ln(x float64) float64 {
	bits := math.Float64bits(x)
	exponent := int(bits>>52) - 1023
	m := math.Float64frombits(bits&(1<<52-1) | 1023<<52)
	if m > math.Sqrt2 {
		m /= 2
		exponent++
	}
	t := (m - 1) / (m + 1)
	q := t * t
	return float64(exponent)*math.Ln2 + t*(2+q*(2.0/3+q*(2.0/5+q*(2.0/7))))
}

package main

import (
	"math"
	"math/rand/v2"

	"steno/vad/training/matrix"
	"steno/vad/training/noise"
)

// biquad is a recursive filter of second order.
type biquad struct{ b0, b1, b2, a1, a2 float64 }

func (f biquad) run(x []float32) {
	var x1, x2, y1, y2 float64
	for i, v := range x {
		in := float64(v) + 1e-15 // keeps the state from getting so small that arithmetic is slow
		y := f.b0*in + f.b1*x1 + f.b2*x2 - f.a1*y1 - f.a2*y2
		x2, x1, y2, y1 = x1, in, y1, y
		x[i] = float32(y)
	}
}

// lowpass and highpass are Butterworth filters' sections of the given quality.
func lowpass(hz, quality float64) biquad {
	k := math.Tan(math.Pi * hz / noise.Rate)
	n := 1 / (1 + k/quality + k*k)
	return biquad{k * k * n, 2 * k * k * n, k * k * n, 2 * (k*k - 1) * n, (1 - k/quality + k*k) * n}
}

func highpass(hz, quality float64) biquad {
	k := math.Tan(math.Pi * hz / noise.Rate)
	n := 1 / (1 + k/quality + k*k)
	return biquad{n, -2 * n, n, 2 * (k*k - 1) * n, (1 - k/quality + k*k) * n}
}

// coloured returns x through a tilt and, sometimes, a resonance: microphones differ.
func coloured(x []float32, r *rand.Rand) []float32 {
	out := make([]float32, len(x))
	tilt, last := float32(between(r, -0.6, 0.6)), float32(0)
	for i, v := range x {
		out[i], last = v+tilt*last, v
	}
	if r.Float64() < 0.4 {
		hz := 150 * math.Pow(30, r.Float64())
		radius := math.Exp(-math.Pi * hz * between(r, 0.3, 1.5) / noise.Rate)
		peak := append([]float32(nil), out...)
		biquad{b0: 1 - radius, a1: -2 * radius * math.Cos(2*math.Pi*hz/noise.Rate), a2: radius * radius}.run(peak)
		matrix.Axpy(out, peak, float32(between(r, -0.6, 1.5)))
	}
	return out
}

// room returns x as heard across a room.
func room(x []float32, r *rand.Rand) []float32 {
	type reflection struct {
		at   int
		gain float64
	}
	decay, first := between(r, 0.12, 0.8), between(r, 0.001, 0.012)
	var echoes []reflection
	sum := 0.0
	for at := noise.Seconds(first); at < noise.Seconds(decay*0.8); at += 1 + r.IntN(30) {
		g := r.NormFloat64() * math.Pow(10, -3*float64(at)/noise.Rate/decay)
		sum += g * g
		echoes = append(echoes, reflection{at, g})
	}
	out := append([]float32(nil), x...)
	scale := noise.Gain(-between(r, -4, 14)) / math.Sqrt(sum+1e-12)
	for _, e := range echoes {
		matrix.Axpy(out[e.at:], x[:len(x)-e.at], float32(scale*e.gain))
	}
	return out
}

// telephone returns x as it comes over a line: band, rate and companding of one.
func telephone(x []float32, r *rand.Rand) []float32 {
	out := append([]float32(nil), x...)
	low, high := between(r, 3000, 3700), between(r, 150, 350)
	for _, q := range []float64{0.518, 0.707, 1.932} {
		lowpass(low, q).run(out)
	}
	highpass(high, 1).run(out)
	level := loudness(out)
	gain := noise.Gain(between(r, -26, -12)) / level
	steps := 127.0
	if r.Float64() < 0.3 {
		steps = 24 + float64(r.IntN(76))
	}
	for i, v := range out {
		if i%2 == 1 {
			out[i] = 0
			continue
		}
		l := math.Log1p(255*min(1, math.Abs(float64(v))*gain)) / math.Log(256)
		l = math.Round(l*steps) / steps
		out[i] = float32(math.Copysign(2*(math.Pow(256, l)-1)/255/gain, float64(v)))
	}
	for _, q := range []float64{0.51, 0.6, 0.9, 2.56} {
		lowpass(3800, q).run(out)
	}
	return out
}

// loudness is the rms of the samples that are not near silence.
func loudness(x []float32) float64 {
	peak := float32(0)
	for _, v := range x {
		peak = max(peak, v, -v)
	}
	sum, n := 0.0, 0
	for _, v := range x {
		if v > peak*0.03 || v < -peak*0.03 {
			sum += float64(v) * float64(v)
			n++
		}
	}
	return math.Sqrt(sum/float64(max(n, 1))) + 1e-9
}

func rms(x []float32) float64 {
	sum := 0.0
	for _, v := range x {
		sum += float64(v) * float64(v)
	}
	return math.Sqrt(sum/float64(max(len(x), 1))) + 1e-9
}

func between(r *rand.Rand, a, b float64) float64 { return a + (b-a)*r.Float64() }

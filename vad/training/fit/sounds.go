package main

import (
	"math"
	"math/rand/v2"

	"steno/vad/training/noise"
)

// These make the sounds of noise generated for the fit; each is ten seconds long.
var generators = []func(n int, r *rand.Rand) []float64{
	noise.White, noise.Pink, noise.Brown, noise.Clicks, noise.Events, noise.Music, noise.Beeps,
	func(n int, r *rand.Rand) []float64 {
		return noise.Step(n, 2+2*r.Float64(), 5+4*r.Float64(), 5+25*r.Float64(), r)
	},
	func(n int, r *rand.Rand) []float64 {
		return noise.Add(noise.Music(n, r), noise.Music(n, r), r.Float64())
	},
	func(n int, r *rand.Rand) []float64 {
		return noise.Tones(n, 80*math.Pow(60, r.Float64()), 80*math.Pow(60, r.Float64()))
	},
	func(n int, r *rand.Rand) []float64 {
		digits := make([]byte, 60)
		for i := range digits {
			digits[i] = '0' + byte(r.IntN(10))
		}
		x := noise.DTMF(string(digits), 0.05+0.4*r.Float64(), 0.05+r.Float64())
		return x[:min(len(x), n)]
	},
	func(n int, r *rand.Rand) []float64 {
		tones := noise.Tones(n, 300*math.Pow(6, r.Float64()), 300*math.Pow(6, r.Float64()))
		return noise.Gate(tones, 0.1+2*r.Float64(), 0.1+2*r.Float64())
	},
	func(n int, r *rand.Rand) []float64 { return noise.Add(noise.Hum(n), noise.Pink(n, r), 0.1*r.Float64()) },
	glide,
	func(n int, r *rand.Rand) []float64 {
		return noise.Gate(noise.Add(noise.Pink(n, r), noise.White(n, r), r.Float64()), 0.1+2*r.Float64(),
			0.1+2*r.Float64())
	},
}

// glide is a siren of random pitch, range and speed, with a second harmonic.
func glide(n int, r *rand.Rand) []float64 {
	out := make([]float64, n)
	phase, centre, depth, rate, second := 0.0, 300+900*r.Float64(), 0.2+0.6*r.Float64(), 0.2+3*r.Float64(), r.Float64()
	for i := range out {
		phase += 2 * math.Pi * centre * (1 + depth*math.Sin(2*math.Pi*rate*float64(i)/noise.Rate)) / noise.Rate
		out[i] = math.Sin(phase) + second*math.Sin(2*phase)
	}
	return out
}

// generate makes n sources of generated noise.
func generate(n int, seed uint64) []*source {
	out := make([]*source, n)
	for i := range out {
		r := noise.Seed(seed<<32 + uint64(i))
		x := noise.At(-26, generators[i%len(generators)](noise.Seconds(10), r))
		s := &source{kind: generated}
		for _, v := range x {
			s.samples = append(s.samples, float32(v))
		}
		out[i] = s
	}
	return out
}

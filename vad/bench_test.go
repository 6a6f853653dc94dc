package vad

import (
	"math"
	"math/rand/v2"
	"testing"
)

// frames is a second of noise whose level swells so many dB up and down.
func frames(swell float64) [][]int16 {
	r := rand.New(rand.NewPCG(1, 1))
	out := make([][]int16, 100)
	for n := range out {
		gain := 300 * math.Pow(10, swell/20*math.Sin(float64(n)))
		for range FrameSamples {
			out[n] = append(out[n], int16(gain*r.NormFloat64()))
		}
	}
	return out
}

func benchmark(b *testing.B, x [][]int16) {
	d := NewDetector()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		d.Frame(x[i%len(x)])
	}
}

func BenchmarkFrame(b *testing.B)          { benchmark(b, frames(12)) }
func BenchmarkSteadyNoise(b *testing.B)    { benchmark(b, frames(0)) }
func BenchmarkDigitalSilence(b *testing.B) { benchmark(b, [][]int16{make([]int16, FrameSamples)}) }

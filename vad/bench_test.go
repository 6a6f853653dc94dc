package vad

import (
	"math/rand/v2"
	"testing"
)

func BenchmarkFrame(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	var x [FrameSamples]int16
	for i := range x {
		x[i] = int16(r.NormFloat64() * 300)
	}
	d := NewDetector()
	b.ReportAllocs()
	for b.Loop() {
		d.Frame(x[:])
	}
}

func BenchmarkDigitalSilence(b *testing.B) {
	var x [FrameSamples]int16
	d := NewDetector()
	b.ReportAllocs()
	for b.Loop() {
		d.Frame(x[:])
	}
}

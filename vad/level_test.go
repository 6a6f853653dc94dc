package vad

import (
	"math"
	"math/rand/v2"
	"testing"
)

// eachLoudness calls f with frames of all kinds and levels, one after the other.
func eachLoudness(f func(frame []int16)) {
	r := rand.New(rand.NewPCG(9, 10))
	for n := range 400 {
		frame := make([]int16, FrameSamples)
		loud := math.Pow(10, 4.6*r.Float64())
		for i := range frame {
			v := loud * r.NormFloat64()
			switch n / 10 % 4 {
			case 1: // rumble, which the filter takes out
				v = loud * math.Sin(float64(n*FrameSamples+i)*2*math.Pi*20/16000)
			case 2: // DC
				v = loud
			case 3:
				v = 65535*float64(i/7%2) - 32768
			}
			frame[i] = int16(max(math.MinInt16, min(math.MaxInt16, v)))
		}
		f(frame)
	}
}

// The level of a frame is that of the high-passed samples, which continue from frame to frame.
func TestLevel(t *testing.T) {
	var h past
	var last, out float64
	eachLoudness(func(frame []int16) {
		power := 100.0
		for _, v := range frame {
			out = pole * (out + float64(v) - last)
			last = float64(v)
			power += out * out / FrameSamples
		}
		if got, want := float64(h.measure(frame)), 10*math.Log10(power); math.Abs(got-want) > 1e-5 {
			t.Fatalf("level %v, want %v", got, want)
		}
	})
}

// However a frame is filtered, it is to the last bit the same.
func TestHighPass(t *testing.T) {
	var x [1 + FrameSamples]int16
	eachLoudness(func(frame []int16) {
		x[0] = x[FrameSamples]
		copy(x[1:], frame)
		var fast, plain filtered
		highPass(&fast, &x, faded)
		plainHighPass(&plain, &x, faded)
		if fast != plain {
			t.Fatalf("%v, want %v", fast, plain)
		}
	})
}

func BenchmarkEndpointer(b *testing.B) {
	e, x := NewEndpointer(Config{Threshold: 0.5, Endpointing: 800, MaxDuration: 80000}), frames(12)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		e.Frame(x[i%len(x)], 0.1)
	}
}

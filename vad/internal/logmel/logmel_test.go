package logmel

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestTransformIsTheDiscreteFourierTransform(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var re, im [points]float64
	x := make([]complex128, points)
	for i := range x {
		re[i], im[i] = r.NormFloat64(), r.NormFloat64()
		x[i] = complex(re[i], im[i])
	}
	transform(&re, &im)
	for k := range points {
		var want complex128
		for i, v := range x {
			want += v * cmplx.Rect(1, -2*math.Pi*float64(k*i%points)/points)
		}
		j := tables.reverse[k]
		if cmplx.Abs(want-complex(re[j], im[j])) > 1e-9 {
			t.Fatalf("bin %d: %v, want %v", k, complex(re[j], im[j]), want)
		}
	}
}

func TestLogarithm(t *testing.T) {
	for x := 1e-12; x < 1e12; x *= 1.0137 {
		if math.Abs(ln(x)-math.Log(x)) > 1e-5 {
			t.Fatalf("ln(%g) is %v, want %v", x, ln(x), math.Log(x))
		}
	}
}

// White noise of a known level has the same power in all bands.
func TestBandsOfWhiteNoise(t *testing.T) {
	const level, windows = 300.0, 400
	r := rand.New(rand.NewPCG(1, 2))
	var m Meter
	var x [Samples]int16
	var out [Bands]float32
	var mean [Bands]float64
	for range windows {
		for i := range x {
			x[i] = int16(math.Round(level * r.NormFloat64()))
		}
		m.Measure(&x, out[:])
		for b, v := range out {
			mean[b] += math.Exp(float64(v)) / windows
		}
	}
	want := math.Log(floor * (level*level + 1))
	for b, v := range mean {
		if math.Abs(math.Log(v)-want) > 0.35 {
			t.Errorf("band %d: %.2f, want %.2f", b, math.Log(v), want)
		}
	}
}

func TestToneLiesInItsBand(t *testing.T) {
	var m Meter
	var x [Samples]int16
	var out [Bands]float32
	for b := range Bands {
		bin := bands[b].from
		for i, w := range bands[b].weight {
			if w > bands[b].weight[bin-bands[b].from] {
				bin = bands[b].from + i
			}
		}
		for i := range x {
			x[i] = int16(8000 * math.Sin(2*math.Pi*float64(bin*i)/Samples))
		}
		m.Measure(&x, out[:])
		for other, v := range out {
			if max(other-b, b-other) > 3 && v > out[b]-6 {
				t.Errorf("a tone in band %d is %v there and %v in band %d", b, out[b], v, other)
			}
		}
	}
}

func BenchmarkMeasure(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	var m Meter
	var x [Samples]int16
	var out [Bands]float32
	for i := range x {
		x[i] = int16(3000 * r.NormFloat64())
	}
	for b.Loop() {
		m.Measure(&x, out[:])
	}
}

// However butterflies are computed, it is to the last bit the same.
func TestButterflies(t *testing.T) { checkButterflies(t, butterflies) }

func checkButterflies(t *testing.T, butterflies func(re, im []float64, w []twiddles)) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	for at, q := 0, points/4; q > 1; at, q = at+q/beside, q/4 {
		re, im := make([]float64, 4*q), make([]float64, 4*q)
		for i := range re {
			re[i], im[i] = r.NormFloat64(), r.NormFloat64()
		}
		wantRe, wantIm := slices.Clone(re), slices.Clone(im)
		w := tables.twiddle[at : at+q/beside]
		butterflies(re, im, w)
		plainButterflies(wantRe, wantIm, w)
		if !slices.Equal(re, wantRe) || !slices.Equal(im, wantIm) {
			t.Errorf("a part of %d points differs", 4*q)
		}
	}
}

// However a window is weighed, it is to the last bit the same.
func TestWeigh(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var window [Samples]int16
	for i := range window {
		window[i] = int16(r.Uint32())
	}
	window[0], window[1] = math.MinInt16, math.MaxInt16
	var re, im, wantRe, wantIm [points]float64
	weigh(&re, &im, &window)
	plainWeigh(&wantRe, &wantIm, &window)
	if re != wantRe || im != wantIm {
		t.Errorf("%v, %v; want %v, %v", re, im, wantRe, wantIm)
	}
}

package logmel

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"
)

func TestTransformIsTheDiscreteFourierTransform(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	a, b := new(spectrum), new(spectrum)
	x := make([]complex128, points)
	for i := range x {
		a.re[i], a.im[i] = float32(r.NormFloat64()), float32(r.NormFloat64())
		x[i] = complex(float64(a.re[i]), float64(a.im[i]))
	}
	transform(a, b)
	for k := range points {
		var want complex128
		for i, v := range x {
			want += v * cmplx.Rect(1, -2*math.Pi*float64(k*i%points)/points)
		}
		if got := complex(float64(a.re[k]), float64(a.im[k])); cmplx.Abs(want-got) > 1e-4 {
			t.Fatalf("bin %d: %v, want %v", k, got, want)
		}
	}
}

func TestLogarithm(t *testing.T) {
	for x := 1e-12; x < 1e12; x *= 1.0137 {
		if got, want := float64(ln(float32(x))), math.Log(float64(float32(x))); math.Abs(got-want) > 1e-5 {
			t.Fatalf("ln(%g) is %v, want %v", x, got, want)
		}
	}
}

// exact is Measure as it is defined, in float64.
func exact(window *[Samples]int16) (out [Bands]float64) {
	var x [Samples]float64
	for i, v := range window {
		x[i] = float64(v) / 32768 * (0.5 - 0.5*math.Cos(2*math.Pi*(float64(i)+0.5)/Samples))
	}
	var power [endBin]float64
	for k := range power {
		var sum complex128
		for i, v := range x {
			sum += complex(v, 0) * roots[k*i%Samples]
		}
		power[k] = real(sum)*real(sum) + imag(sum)*imag(sum)
	}
	for b := range out {
		low, centre, high := edge(b), edge(b+1), edge(b+2)
		sum, weights := 0.0, 0.0
		for k := range power {
			w := max(0, min((float64(k)-low)/(centre-low), (high-float64(k))/(high-centre)))
			sum += w * power[k]
			weights += w
		}
		out[b] = math.Log(floor + sum/weights)
	}
	return out
}

var roots = func() (out [Samples]complex128) {
	for i := range out {
		out[i] = cmplx.Rect(1, -2*math.Pi*float64(i)/Samples)
	}
	return out
}()

// windows calls f with windows of all kinds and levels: noise, steps, tones and voices,
// which are pulses of a pitch through resonances.
func windows(f func(kind string, window *[Samples]int16)) {
	r := rand.New(rand.NewPCG(5, 6))
	fill := func(kind string, sample func(i int) float64) {
		var x [Samples]int16
		for i := range x {
			x[i] = int16(max(math.MinInt16, min(math.MaxInt16, math.Round(sample(i)))))
		}
		f(kind, &x)
	}
	fill("zeros", func(int) float64 { return 0 })
	fill("the lowest", func(int) float64 { return math.MinInt16 })
	fill("the highest", func(int) float64 { return math.MaxInt16 })
	fill("full scale", func(i int) float64 { return 65535*float64(i%2) - 32768 })
	for level := 0.3; level < 40000; level *= 1.7 {
		fill("noise", func(int) float64 { return level * r.NormFloat64() })
		edge := r.IntN(Samples)
		fill("a step", func(i int) float64 { return level * float64(min(1, i/(edge+1))) })
	}
	for range 40 {
		step, loud := math.Pi*r.Float64(), 32767*math.Pow(10, -r.Float64()*r.Float64()*4)
		fill("a tone", func(i int) float64 { return loud * math.Sin(step*float64(i)) })
		pitch, formant, second := 40+r.IntN(160), 0.1+0.3*r.Float64(), 0.4+r.Float64()
		fill("a voice", func(i int) float64 {
			n := float64(i % pitch)
			return loud * (0.7*math.Exp(-n/30)*math.Sin(formant*n) + 0.3*math.Exp(-n/15)*math.Sin(second*n))
		})
	}
}

func TestMeasureIsExact(t *testing.T) {
	accuracy := map[string]float64{"a tone": 3e-3}
	windows(func(kind string, window *[Samples]int16) {
		var got [Bands]float32
		new(Meter).Measure(window, got[:])
		for b, want := range exact(window) {
			if math.Abs(float64(got[b])-want) > max(1e-4, accuracy[kind]) {
				t.Errorf("%s: band %d is %v, want %v", kind, b, got[b], want)
			}
		}
	})
}

// However a window is measured, it is to the last bit the same.
func TestMeasureIsPlain(t *testing.T) {
	windows(func(kind string, window *[Samples]int16) {
		var fast, plain Meter
		var got, want [Bands]float32
		fast.measure(window, &got)
		plain.plainMeasure(window, &want)
		if fast.a != plain.a {
			t.Errorf("%s: the transform differs", kind)
		}
		if fast.power != plain.power {
			t.Errorf("%s: the powers differ", kind)
		}
		if got != want {
			t.Errorf("%s: %v, want %v", kind, got, want)
		}
	})
}

func TestFloor(t *testing.T) {
	var out [Bands]float32
	new(Meter).Measure(new([Samples]int16), out[:])
	for b, v := range out {
		if v != Floor {
			t.Errorf("band %d of zeros is %v, want %v", b, v, Floor)
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

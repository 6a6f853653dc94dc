package vad

import (
	"errors"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// sounds makes stretches of zeros, dither, noise, tones and steps, the kinds of frame
// that take different ways through the detector.
func sounds(t *rapid.T) []int16 {
	var out []int16
	for range rapid.IntRange(1, 8).Draw(t, "stretches") {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		kind := rapid.IntRange(0, 3).Draw(t, "kind")
		loud := math.Pow(10, rapid.Float64Range(0, 4.3).Draw(t, "loud"))
		pitch := 0.01 + 0.3*r.Float64()
		for i := range rapid.IntRange(1, 120).Draw(t, "frames") * FrameSamples {
			switch kind {
			case 0:
				out = append(out, 0)
			case 1:
				out = append(out, int16(r.IntN(5)-2))
			case 2:
				out = append(out, int16(limit(r.NormFloat64()*loud, -32768, 32767)))
			default:
				out = append(out, int16(loud*math.Sin(pitch*float64(i))*(1+math.Sin(float64(i)/900))/2))
			}
		}
	}
	return out
}

func TestSilenceTakesTheShortCutExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := sounds(t)
		short, long := NewDetector(), NewDetector()
		long.ungated = true
		for i := 0; i < len(x); i += FrameSamples {
			a, b := short.Frame(x[i:i+FrameSamples]), long.Frame(x[i:i+FrameSamples])
			if math.Float32bits(a) != math.Float32bits(b) || short.features.out != long.features.out {
				t.Fatalf("frame %d: %v with the short cut, %v without", i/FrameSamples, a, b)
			}
		}
	})
}

func TestDetectorContinuesFromItsState(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := sounds(t)
		at := rapid.IntRange(0, len(x)/FrameSamples-1).Draw(t, "at") * FrameSamples
		a, b := NewDetector(), NewDetector()
		for i := 0; i < len(x); i += FrameSamples {
			if i == at {
				rest, err := b.RestoreState(append(a.AppendState(nil), "tail"...))
				if err != nil || string(rest) != "tail" {
					t.Fatalf("restore: %v, rest %q", err, rest)
				}
			}
			p := a.Frame(x[i : i+FrameSamples])
			if p < 0 || p > 1 || p != p {
				t.Fatalf("probability %v", p)
			}
			if i >= at && math.Float32bits(b.Frame(x[i:i+FrameSamples])) != math.Float32bits(p) {
				t.Fatalf("frame %d differs after a restore", i/FrameSamples)
			}
		}
	})
}

func TestForeignStateIsRefused(t *testing.T) {
	d, e := NewDetector(), NewEndpointer(Config{Threshold: 0.5, Endpointing: 800, MaxDuration: 80000})
	for name, b := range map[string][]byte{
		"nothing": nil, "garbage": []byte("garbage, and more of it"), "the other's": e.AppendState(nil), "cut": d.AppendState(nil)[:100],
	} {
		if _, err := d.RestoreState(b); !errors.Is(err, ErrState) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func FuzzDetectorState(f *testing.F) {
	f.Add(NewDetector().AppendState(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		d := NewDetector()
		_, err := d.RestoreState(b)
		if err != nil && !errors.Is(err, ErrState) {
			t.Fatalf("unexpected error %v", err)
		}
		frame := make([]int16, FrameSamples)
		for i := range 50 {
			frame[i] = int16(i * 500)
			d.Frame(frame)
		}
		d.AppendState(nil)
	})
}

func TestNothingIsAllocatedPerFrame(t *testing.T) {
	d, e := NewDetector(), NewEndpointer(Config{Threshold: 0, Endpointing: 800, MaxDuration: 80000})
	frame := make([]int16, FrameSamples)
	i := 0
	n := testing.AllocsPerRun(1000, func() {
		i++
		frame[i%FrameSamples] = int16(i * 31)
		e.Frame(frame, d.Frame(frame))
		e.Keep()
	})
	if n != 0 {
		t.Errorf("%v allocations per frame", n)
	}
}

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

func TestPeriodicityFindsThePitch(t *testing.T) {
	for _, hz := range []float64{80, 121, 200, 333} {
		var s spectrum
		var frame [FrameSamples]int16
		for n := range 6 {
			for i := range frame {
				at := float64(n*FrameSamples+i) / 16000
				v := 0.0
				for h := 1.0; h*hz < 1900; h++ {
					v += 1000 / h * math.Sin(2*math.Pi*hz*h*at)
				}
				frame[i] = int16(v)
			}
			s.push(frame[:], true)
		}
		height, lag := periodicity(&s, new([Bands]float64))
		if got := 16000 / float64(lag); height < 0.5 || math.Abs(got-hz) > hz*0.03 {
			t.Errorf("%v Hz: found %.1f with height %.2f", hz, got, height)
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

func TestNoiseFloorFindsWhiteNoise(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	d := NewDetector()
	var frame [FrameSamples]int16
	var mean, floor [Bands]float64
	for n := range 1500 {
		for i := range frame {
			frame[i] = int16(r.NormFloat64() * 300)
		}
		d.Frame(frame[:])
		if n >= 500 {
			for b := range mean {
				mean[b] += d.features.spectrum.band[b]
				floor[b] += d.features.noise.estimate[b]
			}
		}
	}
	for b := range mean {
		if db := 10 * math.Log10(floor[b]/mean[b]); math.Abs(db) > 0.5 {
			t.Errorf("band %d: the floor is %.2f dB off", b, db)
		}
	}
}

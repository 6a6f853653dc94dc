package vad

import (
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
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
				out = append(out, int16(max(-32768, min(32767, r.NormFloat64()*loud))))
			default:
				out = append(out, int16(loud*math.Sin(pitch*float64(i))*(1+math.Sin(float64(i)/900))/2))
			}
		}
	}
	return out
}

// What follows 0.3 s of digital silence is heard as at the beginning, to the last bit.
func TestDigitalSilenceBringsBackTheBeginning(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after := sounds(t), sounds(t)
		old, fresh := NewDetector(), NewDetector()
		for i := 0; i < len(before); i += FrameSamples {
			old.Frame(before[i : i+FrameSamples])
		}
		dither := make([]int16, FrameSamples)
		for range SilentFrames + rapid.IntRange(0, 5).Draw(t, "more") {
			dither[0] = int16(rapid.IntRange(-quiet, quiet).Draw(t, "dither"))
			old.Frame(dither)
		}
		for i := 0; i < len(after); i += FrameSamples {
			a, b := old.Frame(after[i:i+FrameSamples]), fresh.Frame(after[i:i+FrameSamples])
			if math.Float32bits(a) != math.Float32bits(b) {
				t.Fatalf("frame %d: %v, %v by a new detector", i/FrameSamples, a, b)
			}
		}
	})
}

// In steady noise most steps are not judged, also where it is as restless as that of a room, and
// none when nothing changes at all. A thorough detector judges all.
func TestSteadyNoiseIsNotJudged(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	dull, gain := 0.0, 1.0
	room := func(i int) int16 {
		if i%1600 == 0 {
			gain += 0.2 * (1 + 0.5*r.NormFloat64() - gain)
		}
		dull += 0.3 * (r.NormFloat64() - dull)
		return int16(80 * gain * dull)
	}
	for name, sound := range map[string]func(int) int16{
		"room":  room,
		"white": func(int) int16 { return int16(200 * r.NormFloat64()) },
		"hum":   func(i int) int16 { return int16(500 * math.Sin(float64(i)*2*math.Pi*100/16000)) },
	} {
		if n := judged(NewDetector(), sound); n*8 > countedSteps {
			t.Errorf("%s: %d of %d steps are judged", name, n, countedSteps)
		}
		// a hum is the same forever
		if n := judged(NewThoroughDetector(), sound); name != "hum" && n < countedSteps*9/10 {
			t.Errorf("%s: %d of %d steps are judged by a thorough detector", name, n, countedSteps)
		}
	}
}

// countedSteps are those that judged looks at, of two frames.
const countedSteps = 500

// judged counts the steps of a sound that a detector judges, once it has heard as many.
func judged(d *Detector, sound func(int) int16) (n int) {
	frame := make([]int16, FrameSamples)
	for k := range 4 * countedSteps {
		for i := range frame {
			frame[i] = sound(k*FrameSamples + i)
		}
		state := d.state[0]
		if d.Frame(frame); k > 2*countedSteps && d.state[0] != state {
			n++
		}
	}
	return n
}

func TestMatrixIsTheProduct(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	rows, bias, x := make([][]float32, 24), make([]float32, 24), make([]float32, 5)
	for i := range rows {
		rows[i], bias[i] = make([]float32, len(x)), float32(r.NormFloat64())
		for k := range x {
			rows[i][k], x[k] = float32(r.NormFloat64()), float32(r.NormFloat64())
		}
	}
	m, y := newMatrix(rows, bias), scratch(24)
	m.apply(y, x, m.bias, unlimited)
	for i, row := range rows {
		want := float64(bias[i])
		for k, v := range row {
			want += float64(v) * float64(x[k])
		}
		if math.Abs(want-float64(y[i])) > 1e-5 {
			t.Errorf("row %d is %v, want %v", i, y[i], want)
		}
	}
}

// However a product is computed, it is to the last bit the same.
func TestProducts(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	numbers := func(n int) []float32 {
		out := make([]float32, n)
		for i := range out {
			out[i] = float32(r.NormFloat64())
		}
		return out
	}
	for columns := 1; columns < 70; columns++ {
		w, x, bias := numbers(block*columns), numbers(columns), [block]float32(numbers(block))
		for _, least := range []float32{unlimited, 0} {
			var fast, plain [block]float32
			product(&fast, w, x, &bias, least)
			plainProduct(&plain, w, x, &bias, least)
			if fast != plain {
				t.Fatalf("%d columns, least %v: %v, %v", columns, least, fast, plain)
			}
		}
	}
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
		"nothing": nil, "garbage": []byte("garbage, and more of it"), "the other's": e.AppendState(nil),
		"cut": d.AppendState(nil)[:100],
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

// Detectors share the network's weights and the memory of a step, so one more takes little.
func TestMemoryOfDetectors(t *testing.T) {
	const detectors, most = 200, 4 << 10
	all := make([]*Detector, detectors)
	NewDetector().Frame(make([]int16, FrameSamples))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := range all {
		all[i] = NewDetector()
	}
	runtime.ReadMemStats(&after)
	if each := (after.TotalAlloc - before.TotalAlloc) / detectors; each > most {
		t.Errorf("a Detector takes %d bytes, more than %d", each, most)
	}
	runtime.KeepAlive(all)
}

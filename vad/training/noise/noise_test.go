package noise

import (
	"math"
	"slices"
	"testing"
)

// power of x about hz, by correlation in windows of 0.1 s.
func power(x []float64, hz float64) float64 {
	const window = Rate / 10
	sum := 0.0
	for at := 0; at+window <= len(x); at += window {
		var c, s float64
		for i, v := range x[at : at+window] {
			a := 2 * math.Pi * hz * float64(i) / Rate
			c += v * math.Cos(a)
			s += v * math.Sin(a)
		}
		sum += c*c + s*s
	}
	return sum
}

func slope(x []float64) float64 { // dB per octave from 250 to 4000 Hz
	about := func(hz float64) (sum float64) {
		for k := -5.0; k <= 5; k++ {
			sum += power(x, hz*(1+k/50))
		}
		return 10 * math.Log10(sum)
	}
	return (about(4000) - about(250)) / 4
}

func TestColoursOfNoise(t *testing.T) {
	n := Seconds(20)
	for name, c := range map[string]struct {
		x    []float64
		want float64
	}{
		"white": {White(n, Seed(1)), 0}, "pink": {Pink(n, Seed(2)), -3}, "brown": {Brown(n, Seed(3)), -6},
	} {
		if got := slope(c.x); math.Abs(got-c.want) > 1 {
			t.Errorf("%s falls by %.1f dB per octave, want %v", name, got, c.want)
		}
	}
}

func TestLevels(t *testing.T) {
	x := At(-30, White(Seconds(1), Seed(1)))
	if db := 20 * math.Log10(RMS(x)); math.Abs(db+30) > 0.01 {
		t.Errorf("level %.2f", db)
	}
	if got := PCM([]float64{2, -2, 0.5}); !slices.Equal(got, []int16{32767, -32768, 16384}) {
		t.Errorf("clipped to %v", got)
	}
}

func TestDTMFHoldsItsTones(t *testing.T) {
	x := DTMF("5", 0.5, 0.1)
	tone, other := power(x, 770)+power(x, 1336), power(x, 697)+power(x, 1477)
	if tone < 100*other {
		t.Errorf("770 and 1336 Hz have power %g, others %g", tone, other)
	}
}

func TestTelephoneBandAndLevel(t *testing.T) {
	x := At(-20, White(Seconds(4), Seed(5)))
	y := Telephone(x)
	if pass := 10 * math.Log10(power(y, 1000)/power(x, 1000)); math.Abs(pass) > 3 {
		t.Errorf("1000 Hz passes with %.1f dB", pass)
	}
	if stop := 10 * math.Log10(power(y, 6000)/power(x, 6000)); stop > -30 {
		t.Errorf("6000 Hz passes with %.1f dB", stop)
	}
}

func TestTheSameSeedMakesTheSameSound(t *testing.T) {
	for name, f := range map[string]func(seed uint64) []float64{
		"music":  func(s uint64) []float64 { return Music(Seconds(2), Seed(s)) },
		"events": func(s uint64) []float64 { return Events(Seconds(2), Seed(s)) },
		"beeps":  func(s uint64) []float64 { return Beeps(Seconds(2), Seed(s)) },
		"clicks": func(s uint64) []float64 { return Clicks(Seconds(2), Seed(s)) },
		"room":   func(s uint64) []float64 { return Room(Hum(Seconds(1)), 0.3, 0.3, Seed(s)) },
	} {
		if !slices.Equal(f(1), f(1)) || slices.Equal(f(1), f(2)) {
			t.Errorf("%s is not a function of its seed", name)
		}
	}
}

func TestEnvelopes(t *testing.T) {
	x := Gate(slices.Repeat([]float64{1}, Seconds(2)), 0.5, 0.5)
	if x[Seconds(0.4)] != 1 || x[Seconds(0.6)] != 0 || x[Seconds(1.1)] != 1 {
		t.Error("the gate opens at the wrong time")
	}
	step := Step(Seconds(3), 1, 2, 20, Seed(1))
	up := 20 * math.Log10(RMS(step[Seconds(1):Seconds(2)])/RMS(step[:Seconds(1)]))
	if math.Abs(up-20) > 0.5 {
		t.Errorf("the step is %.1f dB", up)
	}
}

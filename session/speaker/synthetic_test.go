package speaker

import (
	"math"
	"math/rand/v2"
)

// person is a voice: his pitch, and the length of his vocal tract as a factor of all formants.
type person struct {
	pitch, tract float64
	tilt         float64 // of the glottal pulses: a pole, 0..1
}

var (
	man   = person{pitch: 105, tract: 0.92, tilt: 0.9}
	woman = person{pitch: 205, tract: 1.16, tilt: 0.7}
	child = person{pitch: 290, tract: 1.38, tilt: 0.5}
)

// speech returns babble of a person: pulses of gliding pitch through formants that go from vowel to
// vowel. Same seed, same samples.
func (p person) speech(seconds float64, seed uint64) []int16 {
	r := rand.New(rand.NewPCG(seed, 5))
	vowel := func() [3]float64 {
		return [3]float64{250 + 550*r.Float64(), 800 + 1500*r.Float64(), 2200 + 800*r.Float64()}
	}
	x := make([]float64, int(seconds*rate))
	var y [3][2]float64
	from, to := vowel(), vowel()
	phase, pulse, at, length := 0.0, 0.0, 0, 2400
	for i := range x {
		if at == length {
			at, length = 0, 1200+r.IntN(1600)
			from, to = to, vowel()
		}
		along := float64(at) / float64(length)
		at++
		phase += p.pitch * (1 + 0.15*math.Sin(2*math.Pi*float64(i)/rate*0.7)) / rate
		source := 0.02 * r.NormFloat64()
		if phase >= 1 {
			phase--
			source++
		}
		pulse = p.tilt*pulse + source
		v := pulse
		for k := range y {
			centre := (from[k] + (to[k]-from[k])*along) * p.tract
			v = resonate(&y[k], v, centre, 70+40*float64(k))
		}
		x[i] = v * (0.15 + 0.85*math.Sin(math.Pi*along))
	}
	return scaled(x)
}

func resonate(y *[2]float64, x, centre, width float64) float64 {
	r := math.Exp(-math.Pi * width / rate)
	v := x*(1-r) + 2*r*math.Cos(2*math.Pi*centre/rate)*y[0] - r*r*y[1]
	y[1], y[0] = y[0], v
	return v
}

func scaled(x []float64) []int16 {
	most := 1e-9
	for _, v := range x {
		most = max(most, math.Abs(v))
	}
	out := make([]int16, len(x))
	for i, v := range x {
		out[i] = int16(9000 * v / most)
	}
	return out
}

func quietFor(seconds float64, seed uint64) []int16 {
	r := rand.New(rand.NewPCG(seed, 6))
	out := make([]int16, int(seconds*rate))
	for i := range out {
		out[i] = int16(3 * r.NormFloat64())
	}
	return out
}

// line is one turn of a scene.
type line struct {
	who     int
	seconds float64
}

// scene has people speak in turn, with 0.4 s between.
func scene(people []person, lines ...line) conversation {
	c := conversation{samples: quietFor(0.4, 0)}
	for i, l := range lines {
		x := people[l.who].speech(l.seconds, uint64(i+1))
		c.truth = append(c.truth, Turn{Start: len(c.samples), End: len(c.samples) + len(x), Speaker: l.who})
		c.samples = append(append(c.samples, x...), quietFor(0.4, uint64(i+1))...)
	}
	return c
}

// dialogue of three people, in 40 s.
func dialogue() conversation {
	return scene([]person{man, woman, child}, line{0, 4}, line{1, 3}, line{0, 2.5}, line{2, 4}, line{1, 4}, line{2, 3},
		line{0, 5}, line{1, 3}, line{2, 3}, line{0, 3})
}

// exchange is a dialogue of half the length.
func exchange() conversation {
	return scene([]person{man, woman, child}, line{0, 3}, line{1, 2.5}, line{2, 3}, line{0, 2.5}, line{1, 3},
		line{2, 2.5},
		line{0, 2})
}

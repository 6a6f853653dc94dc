package noise

import (
	"math"
	"math/rand/v2"
)

// Room returns x as heard across a room: sparse random reflections that decay by 60 dB
// in the given seconds, their energy share times that of the direct sound.
func Room(x []float64, decay, share float64, r *rand.Rand) []float64 {
	type reflection struct {
		at   int
		gain float64
	}
	var echoes []reflection
	sum := 0.0
	for at := 30; at < Seconds(decay*0.7); at += 1 + r.IntN(100) {
		g := math.Pow(10, -3*float64(at)/Rate/decay)
		sum += g * g
		if r.IntN(2) == 0 {
			g = -g
		}
		echoes = append(echoes, reflection{at, g})
	}
	out := append([]float64(nil), x...)
	for _, e := range echoes {
		g := e.gain * math.Sqrt(share/sum)
		for i, v := range x[:max(0, len(x)-e.at)] {
			out[i+e.at] += g * v
		}
	}
	return out
}

package main

import (
	"math"
	"math/rand/v2"
	"testing"

	"steno/vad/internal/activation"
)

// The slopes must be those of the loss, found by small differences.
func TestSlopes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	l := newLearner(shape{inputs: 8, hidden: 8, units: 8}, 8)
	l.p.randomize(l.shape, r)
	const long = 12
	l.moments = l.moments[:long]
	answer := make([][8]float32, long)
	for t := range l.moments {
		m := &l.moments[t]
		for i := range m.x {
			m.x[i] = float32(r.NormFloat64())
		}
		for k := range m.keep {
			m.keep[k] = 1
			if t == 5 && k%2 == 0 {
				m.keep[k] = 0
			}
			answer[t][k] = float32(r.IntN(2))
		}
	}
	loss := func() float64 {
		sum := 0.0
		for t := range l.moments {
			l.forward(t)
			for k, z := range l.logOdds {
				sum += math.Log1p(math.Exp(float64(z))) - float64(answer[t][k]*z)
				l.moments[t].slope[k] = activation.Sigmoid(z) - answer[t][k]
			}
		}
		return sum
	}
	loss()
	l.prepare()
	for t := len(l.moments) - 1; t >= 0; t-- {
		l.backward(t)
	}
	off := 0
	for i, p := range l.p.all {
		const h = 1e-2
		l.p.all[i] = p + h
		up := loss()
		l.p.all[i] = p - h
		slope := (up - loss()) / (2 * h)
		l.p.all[i] = p
		if got := float64(l.slope.all[i]); math.Abs(slope-got) > 0.02+0.02*math.Abs(slope) {
			t.Logf("number %d: slope %v, by differences %v", i, got, slope)
			off++
		}
	}
	if off > 6 { // a step may cross the corner of a ReLU
		t.Errorf("%d of %d slopes are wrong", off, len(l.p.all))
	}
}

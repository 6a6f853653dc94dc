package audio

import (
	"math"
	"sync"
)

// lsaTable holds exp(E1(v)/2), the factor by which the log-spectral gain exceeds Wiener's (Ephraim
// & Malah 1985, eq. 20; E1 is the exponential integral). Knots lie 1/knotsPerOctave octave apart;
// between them it is linear.
type lsaTable struct {
	value []float64
}

const (
	lsaLeast       = -20 // v from 2^-20 …
	lsaMost        = 4   // … to 2^4, beyond which the factor is 1
	knotsPerOctave = 64
)

var lsaGains = sync.OnceValue(func() *lsaTable {
	t := &lsaTable{value: make([]float64, (lsaMost-lsaLeast)*knotsPerOctave+1)}
	for i := range t.value {
		octave, part := i/knotsPerOctave+lsaLeast, i%knotsPerOctave
		t.value[i] = math.Exp(expIntegral(math.Ldexp(1+float64(part)/knotsPerOctave, octave)) / 2)
	}
	return t
})

// at returns the factor for v >= 0. Knots are even within an octave, so the position is the
// number's own mantissa.
func (t *lsaTable) at(v float64) float64 {
	if v >= 1<<lsaMost {
		return 1
	}
	if v < 1.0/(1<<-lsaLeast) {
		return t.value[0]
	}
	bits := math.Float64bits(v)
	octave := int(bits>>52) - 1023 - lsaLeast
	part := float64(bits&(1<<52-1)) * (knotsPerOctave / float64(1<<52))
	i := int(part)
	a, b := t.value[octave*knotsPerOctave+i], t.value[octave*knotsPerOctave+i+1]
	return a + (b-a)*(part-float64(i))
}

// expIntegral is E1(x) for x > 0: the power series up to 1, the continued fraction beyond
// (Abramowitz & Stegun 5.1.11 and 5.1.22, the latter evaluated from its tail).
func expIntegral(x float64) float64 {
	if x <= 1 {
		const euler = 0.57721566490153286
		sum, term := -euler-math.Log(x), 1.0
		for k := 1.0; k < 25; k++ {
			term *= -x / k
			sum -= term / k
		}
		return sum
	}
	f := x
	for k := 200.0; k >= 1; k-- {
		f = x + k/(1+k/f)
	}
	return math.Exp(-x) / f
}

package noise

import "math"

// Telephone returns x, 16 kHz, as a telephone line transmits it: 300 to 3400 Hz, sampled at 8 kHz,
// mu-law.
func Telephone(x []float64) []float64 {
	y := lowPass(x, 3400)
	pole := math.Exp(-2 * math.Pi * 250 / Rate)
	for range 2 {
		highPass(y, pole)
	}
	for i := range y {
		if i%2 == 1 {
			y[i] = 0
		} else {
			y[i] = 2 * companded(y[i])
		}
	}
	return lowPass(y, 3600)
}

func highPass(x []float64, pole float64) {
	last, out := 0.0, 0.0
	for i, v := range x {
		out = pole * (out + v - last)
		last, x[i] = v, out
	}
}

// companded returns v after coding and decoding by the continuous mu-law with 8 bits.
func companded(v float64) float64 {
	level := math.Log1p(255*min(1, math.Abs(v))) / math.Log(256)
	level = math.Round(level*127) / 127
	return math.Copysign((math.Pow(256, level)-1)/255, v)
}

// lowPass returns x filtered by a linear-phase filter with 63 taps and a Hamming window, without
// delay.
func lowPass(x []float64, cutoff float64) []float64 {
	const taps = 63
	var h [taps]float64
	sum := 0.0
	for i := range h {
		k := float64(i - taps/2)
		h[i] = 2 * cutoff / Rate
		if k != 0 {
			h[i] = math.Sin(2*math.Pi*cutoff/Rate*k) / (math.Pi * k)
		}
		h[i] *= 0.54 + 0.46*math.Cos(2*math.Pi*k/(taps-1))
		sum += h[i]
	}
	out := make([]float64, len(x))
	for i := range x {
		for j := max(0, taps/2-i); j < min(taps, len(x)-i+taps/2); j++ {
			out[i] += h[j] / sum * x[i+j-taps/2]
		}
	}
	return out
}

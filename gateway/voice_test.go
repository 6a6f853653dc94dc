package gateway

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
)

// speech is so many seconds of 16-bit mono audio at 16 kHz in which a detector finds utterances: phrases of one to
// two seconds, made of buzzing syllables through two gliding resonances, with pauses of half a second between.
func speech(seconds float64, seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	total := int(seconds * 16000)
	var x []float64
	for len(x) < total {
		x = append(x, hush(r, 8000)...)
		x = append(x, phrase(r, 16000+r.IntN(16000))...)
	}
	x = append(x[:max(0, total-8000)], hush(r, min(8000, total))...)
	b := make([]byte, 0, 2*len(x))
	for _, v := range x {
		b = binary.LittleEndian.AppendUint16(b, uint16(int16(math.Round(8000*max(-3, min(3, v))))))
	}
	return b
}

func hush(r *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = 4e-4 * r.NormFloat64()
	}
	return x
}

func phrase(r *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	var low, high resonance
	phase, pitch, aim := 0.0, 120.0, 150.0
	first, second := 500.0, 1500.0
	firstAim, secondAim := 700.0, 1100.0
	at, syllable := 0, 2800
	peak := 1e-9
	for i := range x {
		if at == syllable {
			at, syllable = 0, 2400+r.IntN(1600)
			firstAim, secondAim = 270+460*r.Float64(), 840+1400*r.Float64()
			aim = 100 + 80*r.Float64()
		}
		first += (firstAim - first) / 800
		second += (secondAim - second) / 800
		pitch += (aim - pitch) / 2400
		source := 0.04 * (r.Float64() - 0.5)
		if phase += pitch / 16000; phase >= 1 {
			phase--
			source++
		}
		x[i] = high.filter(low.filter(source, first, 70), second, 110) * (0.1 + 0.9*math.Sin(math.Pi*float64(at)/float64(syllable)))
		peak = max(peak, math.Abs(x[i]))
		at++
	}
	for i := range x {
		x[i] /= peak
	}
	return x
}

type resonance struct{ y1, y2 float64 }

func (f *resonance) filter(x, centre, width float64) float64 {
	r := math.Exp(-math.Pi * width / 16000)
	y := x*(1-r) + 2*r*math.Cos(2*math.Pi*centre/16000)*f.y1 - r*r*f.y2
	f.y2, f.y1 = f.y1, y
	return y
}

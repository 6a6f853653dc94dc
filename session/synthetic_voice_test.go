package session

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
)

// voice is a small source-filter synthesiser: a glottal pulse train of gliding pitch through moving formants, in
// syllables. No words are in it, but what makes speech speech to a detector: harmonics, glides, syllables, pauses
// between them too short to end an utterance. Same seed, same samples; 16 kHz, full scale 1.
func voice(seconds float64, seed uint64) []float64 {
	r := rand.New(rand.NewPCG(seed, 7))
	out := make([]float64, int(seconds*16000))
	f := [3]resonator{}
	phase, pitch := 0.0, 120.0
	vowels := [][3]float64{{730, 1090, 2440}, {270, 2290, 3010}, {300, 870, 2240}, {530, 1840, 2480}, {570, 840, 2410}}
	from, to := vowels[0], vowels[1]
	syllable, at := 3200, 0
	pitchTo := 140.0
	for i := range out {
		if at == syllable {
			at, syllable = 0, 2400+r.IntN(1600)
			from, to = to, vowels[r.IntN(len(vowels))]
			pitchTo = 95 + 80*r.Float64()
		}
		x := float64(at) / float64(syllable)
		pitch += (pitchTo - pitch) / 2400
		phase += pitch / 16000
		source := 0.04 * (r.Float64() - 0.5)
		if phase >= 1 {
			phase--
			source += 1
		}
		y := 0.0
		for k := range f { // side by side: in a row they would leave little above the lowest
			y += f[k].filter(source, from[k]+(to[k]-from[k])*x, 60+40*float64(k)) / float64(k+1)
		}
		envelope := math.Pow(math.Sin(math.Pi*x), 0.6)
		out[i] = y * (0.08 + 0.92*envelope)
		at++
	}
	return normalise(out, 0.25)
}

// resonator is a two-pole filter of unit gain at its centre, near enough.
type resonator struct{ y1, y2 float64 }

func (f *resonator) filter(x, centre, width float64) float64 {
	r := math.Exp(-math.Pi * width / 16000)
	b := 2 * r * math.Cos(2*math.Pi*centre/16000)
	y := x*(1-r) + b*f.y1 - r*r*f.y2
	f.y2, f.y1 = f.y1, y
	return y
}

// normalise scales to a peak.
func normalise(x []float64, peak float64) []float64 {
	most := 1e-9
	for _, v := range x {
		most = max(most, math.Abs(v))
	}
	for i := range x {
		x[i] *= peak / most
	}
	return x
}

// whiteNoise of a level in dB of full scale.
func whiteNoise(seconds, db float64, seed uint64) []float64 {
	r := rand.New(rand.NewPCG(seed, 11))
	out := make([]float64, int(seconds*16000))
	for i := range out {
		out[i] = r.NormFloat64() * math.Pow(10, db/20)
	}
	return out
}

// interleave makes 16-bit little-endian PCM of channels of equal length.
func interleave(channels ...[]float64) []byte {
	var b []byte
	for i := range channels[0] {
		for _, c := range channels {
			v := int16(math.Round(min(max(c[i], -1), 1) * 32767))
			b = binary.LittleEndian.AppendUint16(b, uint16(v))
		}
	}
	return b
}

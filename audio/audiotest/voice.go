package audiotest

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
)

// Voice is a small source-filter synthesiser: a glottal pulse train of gliding pitch through moving
// formants, in syllables. No words are in it, but what makes speech speech to a detector:
// harmonics, glides, syllables, pauses between them too short to end an utterance. Same seed, same
// samples; 16 kHz, full scale 1. They are made once, and are the caller's own. It may be called
// from any goroutine.
func Voice(seconds float64, seed uint64) []float64 { return voices.get(seconds, seed, voice) }

var voices made[float64]

func voice(seconds float64, seed uint64) []float64 {
	r := rand.New(rand.NewPCG(seed, 7))
	out := make([]float64, int(seconds*16000))
	f := resonances()
	phase, pitch, aim := 0.0, 120.0, 140.0
	from, to := vowels[0], vowels[1]
	syllable, at := 3200, 0
	for i := range out {
		if at == syllable {
			at, syllable = 0, 2400+r.IntN(1600)
			from, to = to, vowels[r.IntN(len(vowels))]
			aim = 95 + 80*r.Float64()
		}
		x := float64(at) / float64(syllable)
		pitch += (aim - pitch) / 2400
		phase += pitch / 16000
		source := 0.04 * (r.Float64() - 0.5)
		if phase >= 1 {
			phase--
			source++
		}
		for k := range f { // side by side: in a row they would leave little above the lowest
			out[i] += f[k].filter(source, from[k]+(to[k]-from[k])*x) / float64(k+1)
		}
		out[i] *= 0.08 + 0.92*math.Pow(math.Sin(math.Pi*x), 0.6)
		at++
	}
	return scaled(out, 0.25)
}

// scaled brings samples to a peak.
func scaled(x []float64, peak float64) []float64 {
	most := 1e-9
	for _, v := range x {
		most = max(most, math.Abs(v))
	}
	for i := range x {
		x[i] *= peak / most
	}
	return x
}

// WhiteNoise is noise of a level in dB of full scale, at 16 kHz. Same seed, same samples.
func WhiteNoise(seconds, db float64, seed uint64) []float64 {
	r := rand.New(rand.NewPCG(seed, 11))
	out := make([]float64, int(seconds*16000))
	level := math.Pow(10, db/20)
	for i := range out {
		out[i] = r.NormFloat64() * level
	}
	return out
}

// PCM makes 16-bit little-endian samples, interleaved, of channels that are as long as the first.
func PCM(channels ...[]float64) []byte {
	b := make([]byte, 0, 2*len(channels)*len(channels[0]))
	for i := range channels[0] {
		for _, c := range channels {
			v := int16(math.Round(min(max(c[i], -1), 1) * 32767))
			b = binary.LittleEndian.AppendUint16(b, uint16(v))
		}
	}
	return b
}

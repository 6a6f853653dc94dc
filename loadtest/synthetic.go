package loadtest

import (
	"math"
	"math/rand/v2"
	"time"

	"steno/audio"
)

// syntheticFormat is that of sound which is made here.
var syntheticFormat = audio.Format{Encoding: audio.PCM, BitDepth: 16, SampleRate: audio.Rate, Channels: 1}

// Tone returns a pure tone of 440 Hz at -12 dB.
func Tone(d time.Duration) *Clip {
	c := &Clip{Name: "tone", Format: syntheticFormat}
	for i := range int(d.Seconds() * audio.Rate) {
		c.Data = c.Format.AppendSample(c.Data, 8192*math.Sin(2*math.Pi*440*float64(i)/audio.Rate))
	}
	return c
}

// vowels are the first three formants of five vowels, in Hz.
var vowels = [][3]float64{{730, 1090, 2440}, {270, 2290, 3010}, {300, 870, 2240}, {530, 1840, 2480}, {570, 840, 2410}}

// Speech returns sound that speech detectors take for speech, at least d of it: sentences of vowels
// with a falling pitch and pauses between them, in the faint noise of a room. There are no words in
// it. The same seed returns the same sound.
func Speech(d time.Duration, seed uint64) *Clip {
	r := rand.New(rand.NewPCG(seed, 0x73706565))
	var samples []float64
	silence := func(seconds float64) { samples = append(samples, make([]float64, int(seconds*audio.Rate))...) }
	for len(samples) < int(d.Seconds()*audio.Rate) {
		silence(0.3 + 0.5*r.Float64())
		pitch := 100 + 60*r.Float64()
		for range 4 + r.IntN(8) {
			pitch *= 0.94 + 0.1*r.Float64()
			samples = append(samples, syllable(vowels[r.IntN(len(vowels))], pitch, 0.16+0.08*r.Float64())...)
			silence(0.02 + 0.02*r.Float64())
		}
	}
	c := &Clip{Name: "synthetic speech", Format: syntheticFormat}
	for _, x := range samples {
		c.Data = c.Format.AppendSample(c.Data, 9000*x+4*r.NormFloat64())
	}
	return c
}

// syllable is a vowel that swells and fades, its peak 1: pulses at the pitch, in Hz, through a
// resonator for each formant.
func syllable(formants [3]float64, pitch, seconds float64) []float64 {
	const bandwidth = 90 // Hz
	n := int(seconds * audio.Rate)
	out := make([]float64, n)
	radius := math.Exp(-math.Pi * bandwidth / audio.Rate)
	phase, peak := 0.0, 1e-9
	var y [3][2]float64
	for i := range out {
		phase += pitch * (1 - 0.1*float64(i)/float64(n)) / audio.Rate
		x := 0.0
		if phase >= 1 {
			phase--
			x = 1
		}
		for k, f := range formants {
			x += 2*radius*math.Cos(2*math.Pi*f/audio.Rate)*y[k][0] - radius*radius*y[k][1]
			y[k][1], y[k][0] = y[k][0], x
		}
		out[i] = x * math.Sin(math.Pi*float64(i)/float64(n))
		peak = max(peak, math.Abs(out[i]))
	}
	for i := range out {
		out[i] /= peak
	}
	return out
}

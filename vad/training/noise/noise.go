// Package noise makes sounds that are not speech, for fitting and testing speech
// detection: coloured noises, signals of telephone lines, music, impacts. All are mono
// at 16 kHz with a full scale of 1, and the same for the same source of randomness.
package noise

import (
	"math"
	"math/rand/v2"
)

// Rate is the number of samples per second.
const Rate = 16000

// Seed returns a source of random numbers with the same sequence on every machine.
func Seed(n uint64) *rand.Rand { return rand.New(rand.NewPCG(n, 0x5eed)) }

// Seconds is a duration in samples.
func Seconds(s float64) int { return int(s * Rate) }

// Gain is the factor of a level in dB.
func Gain(db float64) float64 { return math.Pow(10, db/20) }

// RMS is the root of the mean power of x; 0 for none.
func RMS(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	return math.Sqrt(sum / float64(max(len(x), 1)))
}

// Scale returns x times g.
func Scale(x []float64, g float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = v * g
	}
	return out
}

// At returns x at a level of db dBFS rms.
func At(db float64, x []float64) []float64 { return Scale(x, Gain(db)/(RMS(x)+1e-12)) }

// Add returns x plus g times n, which is repeated if it is shorter.
func Add(x, n []float64, g float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = v + g*n[i%len(n)]
	}
	return out
}

// Join returns the sounds one after the other.
func Join(sounds ...[]float64) []float64 {
	var out []float64
	for _, s := range sounds {
		out = append(out, s...)
	}
	return out
}

// PCM rounds and clips to 16 bits.
func PCM(x []float64) []int16 {
	out := make([]int16, len(x))
	for i, v := range x {
		out[i] = int16(max(-32768, min(32767, math.Round(v*32768))))
	}
	return out
}

// White is white noise of rms 1.
func White(n int, r *rand.Rand) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = r.NormFloat64()
	}
	return out
}

// Pink falls by about 3 dB per octave: three one-pole filters side by side, their
// poles a decade apart or so.
func Pink(n int, r *rand.Rand) []float64 {
	poles := [...]float64{0.9975, 0.965, 0.6}
	gains := [...]float64{0.1, 0.29, 1}
	var state [3]float64
	out := make([]float64, n)
	for i := range out {
		w := r.NormFloat64()
		out[i] = 0.2 * w
		for k := range state {
			state[k] = poles[k]*state[k] + gains[k]*w
			out[i] += state[k]
		}
	}
	return out
}

// Brown falls by 6 dB per octave above 13 Hz.
func Brown(n int, r *rand.Rand) []float64 {
	out := make([]float64, n)
	sum := 0.0
	for i := range out {
		sum = 0.995*sum + r.NormFloat64()
		out[i] = sum
	}
	return out
}

// Step is white noise at -50 dBFS that is up dB louder between the seconds from and to.
func Step(n int, from, to, up float64, r *rand.Rand) []float64 {
	out := At(-50, White(n, r))
	for i := Seconds(from); i < min(n, Seconds(to)); i++ {
		out[i] *= Gain(up)
	}
	return out
}

// Clicks are short ringing impacts over very soft white noise.
func Clicks(n int, r *rand.Rand) []float64 {
	out := Scale(White(n, r), 0.002)
	for at := 0; at < n; at += 1000 + r.IntN(5000) {
		step := 2 * math.Pi * (500 + 4000*r.Float64()) / Rate
		loud := 0.3 + r.Float64()
		for k := 0; k < 800 && at+k < n; k++ {
			decay := loud * math.Exp(-float64(k)/(60+100*loud))
			out[at+k] += decay * (0.6*r.NormFloat64() + math.Sin(step*float64(k)))
		}
	}
	return out
}

// Events are bursts of band-limited noise with the timing of speech over a soft pink
// bed: doors, keys, paper, dishes.
func Events(n int, r *rand.Rand) []float64 {
	out := At(-65+15*r.Float64(), Pink(n, r))
	level := -50 + 25*r.Float64()
	for at := 0; at < n; at += Seconds(0.05 + r.ExpFloat64()*0.35) {
		burst(out[at:], level+10*r.NormFloat64(), r)
	}
	return out
}

func burst(out []float64, level float64, r *rand.Rand) {
	long := Seconds(0.02+r.ExpFloat64()*0.12) * 3
	centre := 150 * math.Pow(20, r.Float64())
	width := centre * (0.1 + r.Float64())
	radius := math.Exp(-math.Pi * width / Rate)
	a1, a2 := 2*radius*math.Cos(2*math.Pi*centre/Rate), -radius*radius
	attack, decay := 0.002+0.03*r.Float64(), 0.02+0.12*r.Float64()
	gain := Gain(level) * (1 - radius) * 3
	y1, y2 := 0.0, 0.0
	for i := range min(long, len(out)) {
		t := float64(i) / Rate
		y := r.NormFloat64() + a1*y1 + a2*y2
		y1, y2 = y, y1
		out[i] += gain * y * min(1, t/attack) * math.Exp(-max(0, t-attack)/decay)
	}
}

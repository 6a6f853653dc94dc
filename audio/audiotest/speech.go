// Package audiotest makes audio for tests.
package audiotest

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
)

// Speech returns 16-bit mono audio of 16 kHz in which a detector finds utterances: phrases of one
// to two seconds, made of buzzing syllables through three gliding resonances, with pauses of 0.7 s.
// The same seed returns the same samples. The slice belongs to the caller. Any goroutine may call
// it.
func Speech(seconds float64, seed uint64) []byte { return speeches.get(seconds, seed, speech) }

var speeches made[byte]

type kind struct {
	seconds float64
	seed    uint64
}

// made keeps audio that was made, of one maker.
type made[T any] struct {
	mu  sync.Mutex
	all map[kind][]T
}

// get returns a copy of what the maker has made, which is called once for each length and seed.
func (m *made[T]) get(seconds float64, seed uint64, maker func(float64, uint64) []T) []T {
	m.mu.Lock()
	defer m.mu.Unlock()
	k := kind{seconds, seed}
	if m.all == nil {
		m.all = map[kind][]T{}
	}
	if m.all[k] == nil {
		m.all[k] = maker(seconds, seed)
	}
	return slices.Clone(m.all[k])
}

func speech(seconds float64, seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	total := int(seconds * 16000)
	var x []float64
	for len(x) < total {
		x = append(x, quiet(r, 11200)...)
		x = append(x, phrase(r, 16000+r.IntN(16000))...)
	}
	x = append(x[:max(0, total-8000)], quiet(r, min(8000, total))...)
	b := make([]byte, 0, 2*len(x))
	for _, v := range x {
		b = binary.LittleEndian.AppendUint16(b, uint16(int16(math.Round(8000*max(-3, min(3, v))))))
	}
	return b
}

// Resample returns 16-bit mono audio of 16 kHz at another rate, by linear interpolation.
func Resample(pcm []byte, rate int) []byte {
	at := func(i int) float64 { return float64(int16(binary.LittleEndian.Uint16(pcm[2*i:]))) }
	n := len(pcm) / 2
	b := make([]byte, 0, len(pcm)*rate/16000)
	for i := range (n - 1) * rate / 16000 {
		x := float64(i) * 16000 / float64(rate)
		k := int(x)
		b = binary.LittleEndian.AppendUint16(b, uint16(int16(math.Round(at(k)+(at(k+1)-at(k))*(x-float64(k))))))
	}
	return b
}

func quiet(r *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = 4e-4 * r.NormFloat64()
	}
	return x
}

// vowels are the lowest three formants of some, in Hz.
var vowels = [][3]float64{{730, 1090, 2440}, {270, 2290, 3010}, {300, 870, 2240}, {530, 1840, 2480}, {570, 840, 2410}}

func phrase(r *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	f := resonances()
	phase, pitch, aim := 0.0, 120.0, 150.0
	from, to := vowels[0], vowels[r.IntN(len(vowels))]
	at, syllable := 0, 2800
	peak := 1e-9
	for i := range x {
		if at == syllable {
			at, syllable = 0, 2400+r.IntN(1600)
			from, to = to, vowels[r.IntN(len(vowels))]
			aim = 95 + 80*r.Float64()
		}
		share := float64(at) / float64(syllable)
		pitch += (aim - pitch) / 2400
		source := 0.04 * (r.Float64() - 0.5)
		if phase += pitch / 16000; phase >= 1 {
			phase--
			source++
		}
		for k := range f { // parallel: in series, little would remain above the lowest
			x[i] += f[k].filter(source, from[k]+(to[k]-from[k])*share) / float64(k+1)
		}
		x[i] *= 0.08 + 0.92*math.Pow(math.Sin(math.Pi*share), 0.6)
		peak = max(peak, math.Abs(x[i]))
		at++
	}
	for i := range x {
		x[i] /= peak
	}
	return x
}

// resonance has its narrowness in its poles' radius.
type resonance struct{ radius, y1, y2 float64 }

// resonances are as wide as those of a voice's three formants.
func resonances() (f [3]resonance) {
	for k := range f {
		f[k].radius = math.Exp(-math.Pi * (60 + 40*float64(k)) / 16000)
	}
	return f
}

func (f *resonance) filter(x, centre float64) float64 {
	r := f.radius
	y := x*(1-r) + 2*r*math.Cos(2*math.Pi*centre/16000)*f.y1 - r*r*f.y2
	f.y2, f.y1 = f.y1, y
	return y
}

// Interleave puts 16-bit mono recordings side by side, as long as the shortest.
func Interleave(channels ...[]byte) []byte {
	n := len(channels[0])
	for _, c := range channels {
		n = min(n, len(c))
	}
	var b []byte
	for i := 0; i+1 < n; i += 2 {
		for _, c := range channels {
			b = append(b, c[i:i+2]...)
		}
	}
	return b
}

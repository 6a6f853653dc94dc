package noise

import (
	"math"
	"math/rand/v2"
)

// Tones is the sum of sines of amplitude 1.
func Tones(n int, hz ...float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		for _, f := range hz {
			out[i] += math.Sin(2 * math.Pi * f * float64(i) / Rate)
		}
	}
	return out
}

// Hum is the mains' 50 Hz with its harmonics.
func Hum(n int) []float64 { return Tones(n, 50, 100, 150, 250, 350) }

// Gate lets x through for on seconds, then silences it for off, and so on.
func Gate(x []float64, on, off float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		if i%(Seconds(on)+Seconds(off)) < Seconds(on) {
			out[i] = v
		}
	}
	return out
}

// Ringback, Busy and Dial are the North American call progress tones.
func Ringback(n int) []float64 { return Gate(Scale(Tones(n, 440, 480), 0.1), 2, 4) }

// Busy alternates every half second.
func Busy(n int) []float64 { return Gate(Scale(Tones(n, 480, 620), 0.1), 0.5, 0.5) }

// Dial is steady.
func Dial(n int) []float64 { return Scale(Tones(n, 350, 440), 0.1) }

// DTMF dials the digits 0..9, each for on seconds and followed by off seconds of
// silence.
func DTMF(digits string, on, off float64) []float64 {
	rows, columns := [...]float64{697, 770, 852, 941}, [...]float64{1209, 1336, 1477}
	var out []float64
	for _, d := range digits {
		row, column := 3, 1
		if d != '0' {
			row, column = int(d-'1')/3, int(d-'1')%3
		}
		out = append(out, Scale(Tones(Seconds(on), rows[row], columns[column]), 0.2)...)
		out = append(out, make([]float64, Seconds(off))...)
	}
	return out
}

// Siren glides between 200 and 1000 Hz every two seconds.
func Siren(n int) []float64 {
	out := make([]float64, n)
	phase := 0.0
	for i := range out {
		hz := 600 + 400*math.Sin(math.Pi*float64(i)/Rate)
		phase += 2 * math.Pi * hz / Rate
		out[i] = math.Sin(phase)
	}
	return out
}

// Music is a tune over chords, in one of many tempos, timbres and keys, half of the
// time with drums.
func Music(n int, r *rand.Rand) []float64 {
	out := make([]float64, n)
	scale := [...]int{0, 2, 4, 5, 7, 9, 11, 12}
	beat := Seconds(0.2 + 0.35*r.Float64())
	root := 110 * math.Pow(2, r.Float64())
	drums := r.IntN(2) == 0
	pitch := func(semitones int) float64 { return root * math.Pow(2, float64(semitones)/12) }
	for b := 0; b*beat < n; b++ {
		rest := out[b*beat:]
		if b%4 == 0 {
			base := scale[r.IntN(6)]
			for _, k := range [...]int{0, 4, 7} {
				note(rest, 4*beat, pitch(base+k), 0.2, false, r)
			}
		}
		if r.Float64() < 0.8 {
			note(rest, beat*(1+r.IntN(2)), 2*pitch(scale[r.IntN(8)]), 0.4, r.IntN(2) == 0, r)
		}
		if drums {
			drum(rest, b%2 == 0, r)
		}
	}
	return out
}

func note(out []float64, long int, hz, loud float64, vibrato bool, r *rand.Rand) {
	harmonics := 3 + r.IntN(8)
	tilt, decay := 0.5+r.Float64(), 1+4*r.Float64()
	var parts []float64 // how loud each harmonic is
	for h := 1; h <= harmonics && hz*float64(h) < 7500; h++ {
		parts = append(parts, math.Pow(float64(h), -tilt))
	}
	phase := 0.0
	for i := range min(long, len(out)) {
		t := float64(i) / Rate
		f := hz
		if vibrato {
			f *= 1 + 0.006*math.Sin(2*math.Pi*5.5*t)
		}
		phase += 2 * math.Pi * f / Rate
		envelope := min(1, t/0.01) * math.Exp(-decay*t) * min(1, float64(long-i)/Rate/0.02)
		sum := 0.0
		for h, part := range parts {
			sum += math.Sin(phase*float64(h+1)) * part
		}
		out[i] += loud * envelope * sum
	}
}

func drum(out []float64, low bool, r *rand.Rand) {
	for i := range min(1600, len(out)) {
		t := float64(i)
		out[i] += 0.5 * math.Exp(-t/300) * r.NormFloat64()
		if low {
			out[i] += math.Exp(-t/700) * math.Sin(2*math.Pi*70*t/Rate)
		}
	}
}

// Beeps are bursts of one to three tones of random pitch, length and distance.
func Beeps(n int, r *rand.Rand) []float64 {
	out := make([]float64, n)
	for at := 0; at < n; at += Seconds(0.03 + 0.8*r.ExpFloat64()) {
		var hz []float64
		for range 1 + r.IntN(3) {
			hz = append(hz, 250*math.Pow(12, r.Float64()))
		}
		long := Seconds(0.05 + 0.35*r.ExpFloat64())
		tone := Scale(Tones(min(long, n-at), hz...), 0.2*r.Float64())
		at += copy(out[at:], tone)
	}
	return out
}

package main

import (
	"math"

	"steno/vad/training/corpus"
	"steno/vad/training/noise"
)

// mixture is how often noise is of each sort.
type mixture struct{ recorded, music, generated, white, pink, brownish float64 }

var (
	sudden   = mixture{.50, .20, .20, .04, .03, .03}
	recorded = mixture{.55, .30, .15, 0, 0, 0}
	faint    = mixture{.10, 0, .05, .40, .30, .15}
)

// noise makes n samples of rms 1 of one of the sorts.
func (s *scene) noise(n int, m mixture) []float32 {
	x := s.raw(n, m)
	if s.chance(0.3) {
		x = coloured(x, s.r)
	}
	level := rms(x)
	if level < 1e-5 { // a part without sound
		for i := range x {
			x[i] += float32(1e-3 * s.r.NormFloat64())
		}
		level = rms(x)
	}
	for i := range x {
		x[i] /= float32(level)
	}
	return x
}

func (s *scene) raw(n int, m mixture) []float32 {
	if s.chance(0.07) {
		return s.sines(n)
	}
	p := s.r.Float64()
	for _, c := range []struct {
		share float64
		make  func(int) []float32
	}{
		{m.recorded, func(n int) []float32 { return s.stretch(s.recording(), n) }},
		{m.music, s.tune},
		{m.generated, func(n int) []float32 { return s.stretch(s.some(generated).samples, n) }},
		{m.white, s.white},
		{m.pink, func(n int) []float32 { return narrow(noise.Pink(n, s.r)) }},
	} {
		if p < c.share {
			return c.make(n)
		}
		p -= c.share
	}
	return s.brownish(n)
}

// recording takes a recorded noise.
func (s *scene) recording() []float32 {
	for {
		x := s.some(noises).samples
		if b := s.stock.recipe.brief; b == 1 || len(x) > noise.Seconds(8) || s.chance(b) {
			return x
		}
	}
}

func narrow(x []float64) []float32 {
	out := make([]float32, len(x))
	for i, v := range x {
		out[i] = float32(v)
	}
	return out
}

// stretch takes n samples of x from anywhere on, over and over, half of the time at
// another speed.
func (s *scene) stretch(x []float32, n int) []float32 {
	out := make([]float32, n)
	speed := 1.0
	if s.chance(0.5) {
		speed = math.Pow(2, s.between(-0.6, 0.6))
	}
	at := float64(s.r.IntN(len(x)))
	for i := range out {
		k := int(at)
		share := float32(at - float64(k))
		next := k + 1
		if next == len(x) {
			next = 0
		}
		out[i] = x[k]*(1-share) + x[next]*share
		if at += speed; at >= float64(len(x)) {
			at -= float64(len(x))
		}
	}
	return out
}

// tune is a recording of music, or single sounds of instruments in a rhythm.
func (s *scene) tune(n int) []float32 {
	first := s.some(music).samples
	if len(first) >= noise.Seconds(2) {
		return s.stretch(first, n)
	}
	pool := [][]float32{first}
	for range s.r.IntN(4) {
		pool = append(pool, s.some(music).samples)
	}
	out := make([]float32, n)
	beat := noise.Seconds(s.between(0.12, 0.7))
	for at := 0; at < n; at += beat * (1 + s.r.IntN(3)) {
		loud := float32(s.between(0.4, 1))
		for i, v := range pool[s.r.IntN(len(pool))] {
			if at+i >= n {
				break
			}
			out[at+i] += loud * v
		}
	}
	return out
}

// sines are mains hum, whistles, beeps: stacks of steady or wavering tones.
func (s *scene) sines(n int) []float32 {
	lowest := [...]float64{50, 60, 100, 120, s.between(60, 3000)}[s.r.IntN(5)]
	sum := make([]float64, n)
	for h := 1; h <= 1+s.r.IntN(11); h++ {
		if lowest*float64(h) > 7500 {
			break
		}
		loud, phase, depth, rate := s.r.Float64()*s.r.Float64(), s.between(0, 6), s.between(0, 0.3), s.between(0.1, 4)
		for i := range sum {
			t := float64(i) / noise.Rate
			sum[i] += loud * math.Sin(2*math.Pi*lowest*float64(h)*t+phase+depth*math.Sin(2*math.Pi*rate*t))
		}
	}
	return narrow(sum)
}

func (s *scene) white(n int) []float32 { return s.swelling(narrow(noise.White(n, s.r))) }

// brownish falls by up to 7 dB per octave.
func (s *scene) brownish(n int) []float32 {
	x := narrow(noise.White(n, s.r))
	pole, mix := s.between(0.8, 0.995), float32(s.between(0, 0.5))
	sum := 0.0
	for i, v := range x {
		sum = pole*sum + float64(v)
		x[i] = float32(sum*(1-pole)*3) + mix*v*0.3
	}
	return s.swelling(x)
}

// swelling changes the level slowly, now and then.
func (s *scene) swelling(x []float32) []float32 {
	if !s.chance(0.3) {
		return x
	}
	from := s.between(-12, 12)
	for at := 0; at < len(x); {
		long := min(1+s.r.IntN(len(x)/2), len(x)-at)
		to := s.between(-12, 12)
		for i := range long {
			if i%corpus.Frame == 0 {
				gain := float32(noise.Gain(from + (to-from)*float64(i)/float64(long)))
				for k := i; k < min(i+corpus.Frame, long); k++ {
					x[at+k] *= gain
				}
			}
		}
		at, from = at+long, to
	}
	return x
}

// event is a sound of up to four seconds that is no word, of rms 1.
func (s *scene) event() []float32 {
	short := s.between(0.08, 1)
	n := noise.Seconds(min(short*short*4+0.08, 4))
	x := s.noise(noise.Seconds(5), sudden)
	at := s.r.IntN(len(x) - n)
	if s.chance(0.6) { // where it is loudest
		at = min(max(loudest(x)-s.r.IntN(n), 0), len(x)-n)
	}
	x = append([]float32(nil), x[at:at+n]...)
	if s.chance(0.5) {
		decay := s.between(0.05, 0.6)
		for i := range x {
			x[i] *= float32(math.Exp(-float64(i) / noise.Rate / decay))
		}
	}
	level := float32(rms(x))
	for i := range x {
		x[i] /= level
	}
	return x
}

// loudest is the middle of the loudest tenth of a second.
func loudest(x []float32) int {
	const long = noise.Rate / 10
	best, at := 0.0, 0
	for i := 0; i+long <= len(x); i += long / 4 {
		if p := rms(x[i : i+long]); p > best {
			best, at = p, i+long/2
		}
	}
	return at
}

package vad

import "math"

const (
	shortestLag = 40  // 400 Hz
	longestLag  = 229 // 70 Hz
	voiceBins   = 64  // 2 kHz
)

// voicing measures how periodic the frame is: the highest peak of the autocorrelation
// of the noise-subtracted amplitude spectrum below 2 kHz, corrected for the window,
// after P. Boersma, "Accurate short-term analysis of the fundamental frequency",
// Proc. Inst. Phonetic Sciences 17, 1993.
type voicing struct {
	mean, peak float64
	move       float64
	lag        float64 // of the last frame, 0 if it was not voiced
}

func (v *voicing) push(s *spectrum, noise *[Bands]float64, audible, gate bool, out *[Inputs]float64) {
	h, lag := 0.0, 0
	if audible || !gate {
		h, lag = periodicity(s, noise)
	}
	if !audible {
		h, lag = 0, 0
	}
	v.mean += 0.08 * (h - v.mean)
	v.peak = max(h, v.peak-0.008)
	if h > 0.5 {
		d := 1.0
		if v.lag > 0 {
			d = min(1, 12/math.Ln2*math.Abs(ln(float64(lag)/v.lag)))
		}
		v.move += 0.08 * (d - v.move)
		v.lag = float64(lag)
	} else {
		v.lag = 0
	}
	out[fHarmonic], out[fHarmonic125], out[fHarmonicMax], out[fPitchMove] = h, v.mean, v.peak, v.move
}

// periodicity returns the height, 0..1, and the lag in samples of the best peak. The
// height is weighed by the share of the power that is not noise: a few bins that stick
// out of noise by chance are periodic too.
//
// The amplitudes a_k are real and even, so their transform is. Put as a_k + i b_k
// with b_k = a_k exp(i pi k/256), one transform of 256 points gives the even lags in
// its real and the odd ones in its imaginary part.
func periodicity(s *spectrum, noise *[Bands]float64) (height float64, lag int) {
	re, im := &s.re, &s.im
	*re, *im = [points]float64{}, [points]float64{}
	total, b := 0.0, 0
	signal, floor := 0.0, 1e-12
	for k := 2; k < voiceBins; k++ {
		for b < Bands-1 && k >= bandEdges[b+1] {
			b++
		}
		power := max(0, s.power[k]-2*noise[b])
		signal += power
		floor += noise[b]
		a := math.Sqrt(power)
		total += 2 * a
		sin, cos := -tables.sin[k], tables.cos[k]
		re[k], re[points-k] = a*(1-sin), a*(1+sin)
		im[k], im[points-k] = a*cos, a*cos
	}
	if total < 1e-9 {
		return 0, 0
	}
	transform(re, im)
	at := func(lag int) float64 {
		// The transform is exp(-i): read it backwards for the phases of b.
		i := tables.reverse[(points-lag/2)%points]
		if lag%2 == 0 {
			return re[i]
		}
		return im[i]
	}
	before, rising := at(shortestLag-1), false
	for l := shortestLag; l <= longestLag; l++ {
		r := at(l)
		if r > before {
			rising = true
		} else if rising {
			if h := before / (total * tables.taper[l-1]); h > height*1.02 {
				height, lag = h, l-1
			}
			rising = false
		}
		before = r
	}
	return limit(height, 0, 1) * signal / (signal + 2*floor), lag
}

func (v *voicing) state(s *state) {
	for _, x := range []*float64{&v.mean, &v.peak, &v.move, &v.lag} {
		s.float(x)
	}
}

// speechLevel compares the level of a frame with that of the speech heard lately.
type speechLevel struct {
	smooth, top float64 // dBFS
	mean, peak  float64
}

// push takes the levels of frame and noise in dBFS. The tracked level rises with what
// is louder and falls by 6 dB a second: slower, and quiet talkers after loud ones are
// lost.
func (l *speechLevel) push(level, noise float64, first bool, out *[Inputs]float64) {
	if first {
		*l = speechLevel{smooth: level, top: -42, mean: -3, peak: -3}
	}
	l.smooth += 0.25 * (level - l.smooth)
	if l.smooth > l.top {
		l.top += 0.03 * (l.smooth - l.top)
	} else {
		l.top -= 0.06
	}
	l.top = max(l.top, -60, noise+9)
	relative := limit(level-l.top, -28, 0) / 10
	l.mean += 0.08 * (relative - l.mean)
	l.peak = max(relative, l.peak-0.02)
	out[fLevel], out[fLevel125], out[fLevelMax] = relative, l.mean, l.peak
}

func (l *speechLevel) state(s *state) {
	for _, x := range []*float64{&l.smooth, &l.top, &l.mean, &l.peak} {
		s.float(x)
	}
}

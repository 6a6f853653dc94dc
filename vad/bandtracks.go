package vad

import "math"

const divergenceFrames = 7

// bandTracks follows the SNR of each band.
type bandTracks struct {
	snr   [Bands]float64 // dB, 0..45, of the last frame
	prior [Bands]float64 // of the decision-directed a-priori SNR
	ratio [divergenceFrames][Bands]float64
	at    int
}

// push sets the features of the bands' SNR.
//
// The likelihood ratio is that of J. Sohn, N. S. Kim, W. Sung, "A statistical
// model-based voice activity detection", IEEE Signal Process. Lett. 6, 1999, with the
// decision-directed estimate of Y. Ephraim, D. Malah, IEEE Trans. ASSP 32, 1984. The
// divergence is that of J. Ramirez et al., "Efficient voice activity detection
// algorithms using long-term speech information", Speech Comm. 42, 2004, over past
// frames only.
func (t *bandTracks) push(power, noise *[Bands]float64, out *[Inputs]float64) {
	var sum, squares, up, flux, likelihood, divergence float64
	now := &t.ratio[t.at]
	t.at = (t.at + 1) % divergenceFrames
	for b := range power {
		g := (power[b] + bitNoise) / noise[b]
		q := limit(decibel(g), 0, 45)
		sum += q
		squares += q * q
		if q > 6 {
			up++
		}
		flux += math.Abs(q - t.snr[b])
		t.snr[b] = q
		g = min(g, 1000)
		likelihood += t.likelihood(b, g)
		now[b] = g
		highest := 0.0
		for i := range t.ratio {
			highest = max(highest, t.ratio[i][b])
		}
		divergence += highest
	}
	mean := sum / Bands
	out[fBandSNR] = mean / 10
	out[fBandsUp] = up / Bands
	out[fBandSpread] = math.Sqrt(max(0, squares/Bands-mean*mean)) / 5
	out[fFlux] = flux / Bands / 5
	out[fRatio] = ln(max(0, likelihood/Bands) + 0.05)
	out[fLongSpread] = decibel(divergence/Bands+0.1) / 10
}

// likelihood is the log of the likelihood ratio of band b at a-posteriori SNR g.
func (t *bandTracks) likelihood(b int, g float64) float64 {
	xi := max(0.003, 0.98*t.prior[b]+0.02*max(g-1, 0))
	gain := xi / (1 + xi)
	t.prior[b] = gain * gain * g
	return g*gain - ln(1+xi)
}

func (t *bandTracks) state(s *state) {
	s.floats(t.snr[:])
	s.floats(t.prior[:])
	for i := range t.ratio {
		s.floats(t.ratio[i][:])
	}
	s.count(&t.at, divergenceFrames-1)
}

const varyFrames = 30

// variability measures how differently the bands vary over the last 0.3 s: P. K.
// Ghosh, A. Tsiartas, S. Narayanan, "Robust voice activity detection using long-term
// signal variability", IEEE Trans. Audio Speech Lang. Process. 19, 2011; over bands
// instead of bins.
type variability struct {
	smooth [Bands]float64
	power  [varyFrames][Bands]float64
	at     int
	full   bool
	sum    [Bands]float64 // of power over the frames
	sumLog [Bands]float64 // of power times its log
}

// push returns the log of the variance over bands of the entropy over frames.
func (v *variability) push(power *[Bands]float64) float64 {
	old := &v.power[v.at]
	mean, squares := 0.0, 0.0
	for b, p := range power {
		v.smooth[b] = 0.85*v.smooth[b] + 0.15*(p+floorPower)
		x := v.smooth[b]
		v.sum[b] += x - old[b]
		v.sumLog[b] += xlogx(x) - xlogx(old[b])
		old[b] = x
		h := ln(v.sum[b]) - v.sumLog[b]/v.sum[b]
		mean += h
		squares += h * h
	}
	v.at++
	if v.at == varyFrames {
		v.at, v.full = 0, true
		v.renew()
	}
	if !v.full {
		return limit(ln(1e-4/0.02), -4, 4)
	}
	mean /= Bands
	return limit(ln((max(0, squares/Bands-mean*mean)+1e-4)/0.02), -4, 4)
}

// renew sums afresh, so that rounding does not gather over hours.
func (v *variability) renew() {
	for b := range v.sum {
		sum, sumLog := 0.0, 0.0
		for i := range v.power {
			sum += v.power[i][b]
			sumLog += xlogx(v.power[i][b])
		}
		v.sum[b], v.sumLog[b] = sum, sumLog
	}
}

func xlogx(x float64) float64 {
	if x == 0 {
		return 0
	}
	return x * ln(x)
}

func (v *variability) state(s *state) {
	s.floats(v.smooth[:])
	for i := range v.power {
		s.floats(v.power[i][:])
	}
	s.count(&v.at, varyFrames-1)
	s.flag(&v.full)
	s.floats(v.sum[:])
	s.floats(v.sumLog[:])
}

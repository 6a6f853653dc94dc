package vad

import "math"

// Inputs is how many features a frame has.
const Inputs = 26

// The features, in the order of the network's inputs. Nothing of absolute level or of
// the channel's colour is among them: a fit learns the recordings it sees by those.
const (
	fSNR           = iota // of the frame, dB/10
	fBandSNR              // mean over the bands of their SNR, dB/10
	fBandsUp              // share of bands above 6 dB
	fBandSpread           // standard deviation of the bands' SNR
	fFlux                 // movement of the bands' SNR since the last frame
	fSNR125               // fBandSNR, mean over 125 ms
	fSNR1s                // and over 1 s
	fSNRHole              // its minimum over 0.2 s: speech has holes, fans have none
	fSNRPeak              // its maximum, decaying
	fRatio                // log of the mean likelihood ratio
	fLongSpread           // long-term spectral divergence
	fLongVary             // long-term signal variability
	fModulation           // energy of the 4-Hz modulation
	fSlope                // level now against just before
	fFlat                 // spectral flatness
	fEntropy              // spectral entropy
	fPeak                 // share of the strongest bin and its neighbours
	fHarmonic             // harmonicity
	fHarmonic125          // its mean over 125 ms
	fHarmonicMax          // its maximum, decaying
	fPitchMove            // movement of the pitch: speech glides, music holds its notes
	fHarmonicSNR          // fHarmonic times fBandSNR
	fLevel                // against the tracked level of speech, dB/10
	fLevel125             // its mean over 125 ms
	fLevelMax             // its maximum, decaying
	fHarmonicLevel        // fHarmonic times fLevel
)

// features turns frames into numbers a small network can judge.
type features struct {
	spectrum spectrum
	noise    noiseFloor
	perBand  bandTracks
	vary     variability
	voice    voicing
	level    speechLevel

	started                            bool
	fast, slow, modulation             float64
	snr125, snr1s, snrPeak, peakSmooth float64
	holes                              [20]float64
	hole                               int

	out [Inputs]float64
}

func (f *features) reset() {
	*f = features{}
	f.noise.reset()
}

// push computes f.out for a frame.
func (f *features) push(frame []int16, bias *[Bands]float64, gate bool) {
	silent := f.spectrum.push(frame, gate)
	f.noise.push(&f.spectrum.band, bias)
	signal, noise := 0.0, 0.0
	for b, p := range f.spectrum.band {
		width := float64(bandEdges[b+1] - bandEdges[b])
		signal += p * width
		noise += f.noise.estimate[b] * width
	}
	snr := limit(decibel((signal+1e-12)/noise), -3, 45)
	f.out[fSNR] = snr / 10
	f.perBand.push(&f.spectrum.band, &f.noise.estimate, &f.out)
	f.trackSNR(f.out[fBandSNR])
	f.trackModulation(decibel((signal + noise) / noise))
	f.shape()
	f.out[fLongVary] = f.vary.push(&f.spectrum.band)
	f.voice.push(&f.spectrum, &f.noise.estimate, snr >= 0 && !silent, gate, &f.out)
	f.level.push(decibel(signal+bitNoise*3)-fullScale, decibel(noise)-fullScale, !f.started, &f.out)
	f.out[fHarmonicSNR] = f.out[fHarmonic] * f.out[fBandSNR]
	f.out[fHarmonicLevel] = (f.out[fLevel] + 4) * f.out[fHarmonic]
	f.started = true
}

func (f *features) trackSNR(snr float64) {
	f.snr125 += 0.08 * (snr - f.snr125)
	f.snr1s += 0.01 * (snr - f.snr1s)
	f.snrPeak = max(snr, f.snrPeak-0.02)
	f.holes[f.hole] = snr
	f.hole = (f.hole + 1) % len(f.holes)
	low := snr
	for _, v := range f.holes {
		low = min(low, v)
	}
	f.out[fSNR125], f.out[fSNR1s], f.out[fSNRPeak], f.out[fSNRHole] = f.snr125, f.snr1s, f.snrPeak, low
}

// trackModulation takes the energy between two one-pole means of the level, about
// 2..8 Hz, the rate of syllables: E. Scheirer, M. Slaney, "Construction and
// evaluation of a robust multifeature speech/music discriminator", ICASSP 1997.
func (f *features) trackModulation(level float64) {
	level = max(level, 0)
	f.fast += 0.35 * (level - f.fast)
	f.slow += 0.10 * (level - f.slow)
	d := f.fast - f.slow
	f.modulation += 0.015 * (d*d - f.modulation)
	f.out[fModulation] = ln(f.modulation + 0.1)
	f.out[fSlope] = limit(d, -10, 10) / 10
}

// shape measures flatness, entropy and peak of the spectrum above 300 Hz.
func (f *features) shape() {
	const first = 10
	const n = endBin - first
	p := &f.spectrum.power
	total := 0.0
	for k := first; k < endBin; k++ {
		total += p[k] + floorPower
	}
	sum, entropy, peak := 0.0, 0.0, 0.0
	for k := first; k < endBin; k++ {
		share := (p[k] + floorPower) / total
		l := ln(share)
		sum += l
		entropy -= share * l
		peak = max(peak, share+(p[k-1]+p[k+1])/total)
	}
	f.peakSmooth += 0.1 * (peak - f.peakSmooth)
	f.out[fFlat] = limit(sum/n+math.Log(n), -6, 0)
	f.out[fEntropy] = entropy - math.Log(n)
	f.out[fPeak] = f.peakSmooth
}

func (f *features) state(s *state) {
	s.samples(f.spectrum.window[:])
	s.count(&f.spectrum.calm, 4)
	f.noise.state(s)
	f.perBand.state(s)
	f.vary.state(s)
	f.voice.state(s)
	f.level.state(s)
	s.flag(&f.started)
	for _, v := range []*float64{&f.fast, &f.slow, &f.modulation, &f.snr125, &f.snr1s, &f.snrPeak, &f.peakSmooth} {
		s.float(v)
	}
	s.floats(f.holes[:])
	s.count(&f.hole, len(f.holes)-1)
}

func limit(x, low, high float64) float64 { return max(low, min(high, x)) }

// ln is the natural logarithm of a positive normal number to about 2e-6: a series in
// the mantissa, several times faster than math.Log.
func ln(x float64) float64 {
	bits := math.Float64bits(x)
	exponent := int(bits>>52) - 1023
	m := math.Float64frombits(bits&(1<<52-1) | 1023<<52) // 1 <= m < 2
	if m > math.Sqrt2 {
		m /= 2
		exponent++
	}
	t := (m - 1) / (m + 1)
	q := t * t
	return float64(exponent)*math.Ln2 + t*(2+q*(2.0/3+q*(2.0/5+q*(2.0/7))))
}

func decibel(x float64) float64 { return 10 / math.Ln10 * ln(x) }

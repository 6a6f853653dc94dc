package audio

import (
	"fmt"
	"math"
)

// Front converts one channel from the declared format to 16 kHz mono. It belongs to one goroutine
// at a time.
type Front struct {
	format   Format
	channel  int
	copies   bool       // what comes in is what goes out; then the following are nil
	resample *resampler // nil when the stream has Rate already
	enhance  *enhancer  // nil when not asked for
	in       []float64  // the resampler's history, then the tick
	mid      []float64  // the tick at Rate
}

// NewFront returns a Front for one channel (0 to f.Channels-1) of a stream in format f. enhance
// adds single-channel noise reduction: the log-spectral amplitude estimator of Ephraim & Malah
// (1985), with the noise tracked after Gerkmann & Hendriks (2012). It fails for an invalid format
// or channel.
func NewFront(f Format, channel int, enhance bool) (*Front, error) {
	if err := f.Validate(); err != nil {
		return nil, err
	}
	if channel < 0 || channel >= f.Channels {
		return nil, fmt.Errorf("channel %d of %d", channel, f.Channels)
	}
	fr := &Front{format: f, channel: channel, resample: resamplerFrom(f.SampleRate)}
	if fr.resample == nil && !enhance && f.Encoding == PCM && f.BitDepth == 16 {
		fr.copies = true
		return fr, nil
	}
	fr.mid = make([]float64, TickSamples)
	fr.in = fr.mid
	if fr.resample != nil {
		fr.in = make([]float64, fr.resample.history()+f.TickFrames())
	}
	if enhance {
		fr.enhance = newEnhancer()
	}
	return fr, nil
}

// Tick converts 10 ms. raw holds exactly Format.TickBytes() interleaved bytes of all channels, out
// room for TickSamples samples; other lengths are a caller's bug and panic. Both slices stay the
// caller's. Tick does not allocate.
func (fr *Front) Tick(raw []byte, out []int16) {
	out = out[:TickSamples]
	if fr.copies {
		copyChannel(out, raw[:fr.format.TickBytes()], fr.format, fr.channel)
		return
	}
	history := len(fr.in) - fr.format.TickFrames()
	decodeChannel(fr.in[history:], raw[:fr.format.TickBytes()], fr.format, fr.channel)
	if fr.resample != nil {
		fr.resample.run(fr.mid, fr.in)
		copy(fr.in[:history], fr.in[len(fr.in)-history:])
	}
	if fr.enhance != nil {
		fr.enhance.tick(fr.mid)
	}
	for i, v := range fr.mid {
		out[i] = toInt16(v)
	}
}

// toInt16 rounds half to even and saturates.
func toInt16(v float64) int16 {
	v = math.RoundToEven(v)
	if v > math.MaxInt16 {
		return math.MaxInt16
	}
	if v < math.MinInt16 {
		return math.MinInt16
	}
	return int16(v)
}

// Reach returns how many earlier ticks the samples of a tick depend on: after so many ticks a Front
// returns the same samples, whatever came before them. ok is false with enhancement, which depends
// on all ticks.
func (fr *Front) Reach() (ticks int, ok bool) {
	if fr.enhance != nil {
		return 0, false
	}
	n := fr.format.TickFrames()
	return (len(fr.past()) + n - 1) / n, true
}

// Delay is the number of samples at Rate by which Tick's output lags its input: the first Delay
// samples of a stream's output come from before its beginning. 0 for 16 kHz without enhancement.
func (fr *Front) Delay() int {
	d := 0
	if fr.resample != nil {
		d += fr.resample.delay
	}
	if fr.enhance != nil {
		d += enhanceDelay
	}
	return d
}

// NoiseReport returns what the enhancer does at present: noiseDB is the level of the noise in dB
// relative to full scale (0 dB: a square wave of full scale), gainDB the enhancer's gain in dB, as
// a mean over all frequencies and about the last second; it is never above 0. ok is false without
// an enhancer or before the first tick.
func (fr *Front) NoiseReport() (noiseDB, gainDB float64, ok bool) {
	if fr.enhance == nil {
		return 0, 0, false
	}
	return fr.enhance.report()
}

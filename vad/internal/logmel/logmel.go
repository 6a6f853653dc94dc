// Package logmel turns windows of audio into the logarithms of their power in bands
// spaced on the mel scale: what the detector of speech sees, and what it is fitted on.
//
// It computes in float32, whose rounding is noise some 138 dB below the loudest bin of a
// window; floor lies 111 dB below a full-scale tone. So a logarithm is off by less than
// 1e-4, or, in a band that holds nothing beside a loud tone, 3e-3.
//
// Every product and sum is rounded separately and in one stated order, with vector instructions or
// without: measures are to the last bit the same on every machine.
package logmel

const (
	// Samples is the length of a window: 32 ms at 16 kHz.
	Samples = winSize
	// Bands is the number of bands, from 80 to 7600 Hz.
	Bands = 32
)

// floor is the power of white noise of 1 LSB rms in a bin: what is softer is level.
const floor = winSize * 3.0 / 8 / (32768 * 32768)

// Floor is the measure of a window of zeros.
var Floor = ln(floor)

// scale halves samples of -1 to 1: the sums of powers are of two.
const scale = 0.5 / 32768

// Meter measures windows. It holds scratch memory alone: measures do not depend on each
// other. It is not safe for concurrent use.
type Meter struct {
	a, b  spectrum
	power [points]float32
}

// Measure sets out to the natural logarithms of the bands' power in the window.
func (m *Meter) Measure(window *[Samples]int16, out []float32) {
	m.measure(window, (*[Bands]float32)(out))
}

// plainMeasure is measure in plain Go.
func (m *Meter) plainMeasure(window *[Samples]int16, out *[Bands]float32) {
	m.a.weigh(window)
	transform(&m.a, &m.b)
	powers(&m.power, &m.a)
	for i := range bands {
		out[i] = ln(bands[i].sum(&m.power))
	}
}

package fakemodels

import "math"

// What the runtime does with a frame, as Kaldi: 25 ms, pre-emphasis, Povey's window, a
// power spectrum of 512 points, triangles in the mel scale, the logarithm.
const (
	frameSamples = 400
	spectrum     = 512
	emphasis     = 0.97
)

// response is the feature of a band while a tone of amplitude 1 at its center sounds.
func response(center int) float64 {
	frame := emphasized(frequency(center))
	below, peak, above := mel(frequency(center-1)), mel(frequency(center)), mel(frequency(center+1))
	sum := 0.0
	for k := range spectrum / 2 {
		m := mel(float64(k) * SampleRate / spectrum)
		if m <= below || m >= above {
			continue
		}
		sum += min((m-below)/(peak-below), (above-m)/(above-peak)) * power(frame, k)
	}
	return math.Log(sum)
}

func emphasized(hz float64) []float64 {
	frame := make([]float64, frameSamples)
	for i := range frame {
		at := 2 * math.Pi * hz / SampleRate
		window := math.Pow(0.5-0.5*math.Cos(2*math.Pi*float64(i)/(frameSamples-1)), 0.85)
		frame[i] = window * (math.Sin(at*float64(i+1)) - emphasis*math.Sin(at*float64(i)))
	}
	return frame
}

// power is that of bin k of the frame's spectrum.
func power(frame []float64, k int) float64 {
	var re, im float64
	for i, v := range frame {
		sin, cos := math.Sincos(2 * math.Pi * float64(k*i%spectrum) / spectrum)
		re += v * cos
		im += v * sin
	}
	return re*re + im*im
}

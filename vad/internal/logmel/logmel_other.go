//go:build !amd64

package logmel

func (m *Meter) measure(window *[Samples]int16, out *[Bands]float32) { m.plainMeasure(window, out) }

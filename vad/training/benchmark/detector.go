package benchmark

import (
	"steno/vad"
	"steno/vad/training/silero"
)

// Detector is a speech detector under measurement, with the threshold it is used at.
type Detector struct {
	Threshold float64
	// Probabilities of speech of each whole frame.
	Probabilities func(x []int16) []float32
}

// Builtin is the detector as it is used.
func Builtin() Detector { return judging(vad.NewDetector) }

// With is the detector with the network n.
func With(n *vad.Network) Detector {
	return judging(func() *vad.Detector { return vad.NewDetectorWith(n) })
}

func judging(detector func() *vad.Detector) Detector {
	return Detector{Threshold: vad.DefaultThreshold, Probabilities: func(x []int16) []float32 {
		d := detector()
		out := make([]float32, len(x)/vad.FrameSamples)
		for i := range out {
			out[i] = d.Frame(x[i*vad.FrameSamples : (i+1)*vad.FrameSamples])
		}
		return out
	}}
}

// Silero is the model m, each chunk's probability known from the chunk's end on.
func Silero(m *silero.Model) Detector {
	return Detector{Threshold: 0.5, Probabilities: func(x []int16) []float32 {
		in := make([]float32, len(x))
		for i, v := range x {
			in[i] = float32(v) / 32768
		}
		said := append([]float32{0}, m.Probabilities(in)...)
		out := make([]float32, len(x)/vad.FrameSamples)
		for i := range out {
			out[i] = said[min((i+1)*vad.FrameSamples/silero.Chunk, len(said)-1)]
		}
		return out
	}}
}

// At is the ear at another threshold.
func (e Detector) At(threshold float64) Detector {
	e.Threshold = threshold
	return e
}

package corpus

import (
	"math"
	"math/rand/v2"
)

// Stream joins clean recordings of one voice each, at -24 to -34 dBFS, with 0.8 to
// 2.2 s of silence between them and 2 s before the first, labelled by energy.
func Stream(name string, clips []Clip, r *rand.Rand) Clip {
	out := Clip{Name: name}
	out.pause(2)
	for _, c := range clips {
		labels := ByEnergy(c.Samples)
		gain := math.Pow(10, (-24-10*r.Float64())/20) / rms(c.Samples)
		for _, v := range c.Samples {
			out.Samples = append(out.Samples, v*gain)
		}
		out.Labels = append(out.Labels, labels...)
		out.pause(0.8 + 1.4*r.Float64())
	}
	return out
}

func (c *Clip) pause(seconds float64) {
	frames := int(seconds * Rate / Frame)
	c.Samples = append(c.Samples, make([]float64, frames*Frame)...)
	c.Labels = append(c.Labels, make([]Label, frames)...)
}

// With returns the clip with n added so that its speech is snr dB above n.
func (c Clip) With(n []float64, snr float64) Clip {
	gain := SpeechRMS(c.Samples, c.Labels) / rms(n) * math.Pow(10, -snr/20)
	out := make([]float64, len(c.Samples))
	for i, v := range c.Samples {
		out[i] = v + gain*n[i%len(n)]
	}
	return Clip{Name: c.Name, Samples: out, Labels: c.Labels}
}

// At returns the clip with its speech at db dBFS rms.
func (c Clip) At(db float64) Clip {
	gain := math.Pow(10, db/20) / SpeechRMS(c.Samples, c.Labels)
	out := make([]float64, len(c.Samples))
	for i, v := range c.Samples {
		out[i] = v * gain
	}
	return Clip{Name: c.Name, Samples: out, Labels: c.Labels}
}

func rms(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	return math.Sqrt(sum/float64(max(len(x), 1))) + 1e-12
}

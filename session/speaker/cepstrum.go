package speaker

import "math"

const (
	bands   = 26 // of the mel filter bank
	dims    = 19 // cepstral coefficients of a frame, without the 0th: loudness does not identify a voice
	lowest  = 80.0
	highest = 7600.0 // Hz
	// quiet is added to the power of each band: noise of about one quantization step, so that bands
	// which a recording does not have, such as those of telephony, are constant instead of the
	// logarithm of zero.
	quiet = 400.0
)

// cepstra turns samples into mel-frequency cepstral coefficients.
type cepstra struct {
	*spectrum
	filters [bands]filter
	cosines [dims][bands]float64
}

// filter is a triangle over bins of the spectrum.
type filter struct {
	first  int
	weight []float64
}

func newCepstra() *cepstra {
	c := &cepstra{spectrum: newSpectrum()}
	low, high := mel(lowest), mel(highest)
	centre := func(i int) float64 {
		hz := 700 * (math.Exp((low+(high-low)*float64(i)/(bands+1))/1127) - 1)
		return hz * points / rate
	}
	for b := range c.filters {
		c.filters[b] = triangle(centre(b), centre(b+1), centre(b+2))
	}
	for d := range c.cosines {
		for b := range bands {
			c.cosines[d][b] = math.Sqrt(2.0/bands) * math.Cos(math.Pi*float64(d+1)*(float64(b)+0.5)/bands)
		}
	}
	return c
}

func mel(hz float64) float64 { return 1127 * math.Log(1+hz/700) }

func triangle(from, peak, to float64) filter {
	f := filter{first: int(math.Ceil(from))}
	for k := f.first; float64(k) < to; k++ {
		f.weight = append(f.weight, math.Max(0, math.Min((float64(k)-from)/(peak-from), (to-float64(k))/(to-peak))))
	}
	return f
}

// frames returns the number of frames in a number of samples.
func frames(samples int) int {
	if samples < window {
		return 0
	}
	return (samples-window)/step + 1
}

// of writes the coefficients, dims a frame, and the loudness in dB re one quantization step of
// len(loud) frames from first on.
func (c *cepstra) of(samples []int16, first int, out []float32, loud []float32) {
	var x, y [window]float64
	var px, py [points/2 + 1]float64
	for i := 0; i < len(loud); i += 2 {
		loud[i] = cut(samples, first+i, &x)
		second := i+1 < len(loud)
		if second {
			loud[i+1] = cut(samples, first+i+1, &y)
		}
		c.pair(&x, &y, &px, &py)
		c.reduce(&px, out[i*dims:(i+1)*dims])
		if second {
			c.reduce(&py, out[(i+1)*dims:(i+2)*dims])
		}
	}
}

// cut copies a frame of the samples to x, with pre-emphasis, and returns its loudness in dB.
func cut(samples []int16, frame int, x *[window]float64) float32 {
	at := frame * step
	s := samples[at : at+window]
	before := float64(s[0])
	if at > 0 {
		before = float64(samples[at-1])
	}
	energy := 0.0
	for i, v := range s {
		w := float64(v)
		x[i], before = w-0.97*before, w
		energy += x[i] * x[i]
	}
	return float32(10 * math.Log10(energy/window+1))
}

func (c *cepstra) reduce(power *[points/2 + 1]float64, out []float32) {
	var logs [bands]float64
	for b, f := range c.filters {
		sum := quiet
		for i, w := range f.weight {
			sum += w * power[f.first+i]
		}
		logs[b] = math.Log(sum)
	}
	for d := range c.cosines {
		sum := 0.0
		for b, v := range c.cosines[d] {
			sum += v * logs[b]
		}
		out[d] = float32(sum)
	}
}

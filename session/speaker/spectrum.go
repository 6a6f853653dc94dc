package speaker

import (
	"math"
	"math/bits"
)

const (
	rate   = 16000
	step   = 160 // samples from frame to frame: 10 ms
	window = 400 // samples of a frame: 25 ms
	points = 512 // of the transform
)

// spectrum computes power spectra of frames. It is not safe for concurrent use.
type spectrum struct {
	shape   [window]float64
	swap    [points]int
	twiddle [points / 2]complex128
	z       [points]complex128
}

func newSpectrum() *spectrum {
	s := new(spectrum)
	for i := range s.shape {
		s.shape[i] = 0.54 - 0.46*math.Cos(2*math.Pi*float64(i)/(window-1))
	}
	for i := range s.swap {
		s.swap[i] = int(bits.Reverse16(uint16(i)) >> (16 - 9))
	}
	for k := range s.twiddle {
		sin, cos := math.Sincos(-2 * math.Pi * float64(k) / points)
		s.twiddle[k] = complex(cos, sin)
	}
	return s
}

// pair computes the power of the bins 0 to points/2 of two windows, transformed as one complex
// signal.
func (s *spectrum) pair(x, y *[window]float64, px, py *[points/2 + 1]float64) {
	s.z = [points]complex128{}
	for i, w := range s.shape {
		s.z[s.swap[i]] = complex(x[i]*w, y[i]*w)
	}
	s.transform()
	for k := range px {
		a, b := s.z[k], s.z[(points-k)%points]
		xr, xi := real(a)+real(b), imag(a)-imag(b)
		yr, yi := imag(a)+imag(b), real(b)-real(a)
		px[k] = (xr*xr + xi*xi) / 4
		py[k] = (yr*yr + yi*yi) / 4
	}
}

// transform is a radix-2 FFT, decimation in time, with its input in z in bit-reversed order.
func (s *spectrum) transform() {
	for size := 2; size <= points; size *= 2 {
		half, stride := size/2, points/size
		for at := 0; at < points; at += size {
			lo, hi := s.z[at:at+half], s.z[at+half:at+size]
			for k := range lo {
				a, b := lo[k], hi[k]*s.twiddle[k*stride]
				lo[k], hi[k] = a+b, a-b
			}
		}
	}
}

package audio

import (
	"math"
	"math/bits"
	"sync"
)

// realFFT transforms n real samples by a complex transform of half the length (radix 2, in place).
// It is read-only after it was made.
type realFFT struct {
	n       int
	swap    []int32      // bit-reversed index for each index of the half-length transform
	twiddle []complex128 // e^(-2 pi i k/n) for k in 0..n/2
}

func newRealFFT(n int) *realFFT {
	h := n / 2
	t := &realFFT{n: n, swap: make([]int32, h), twiddle: make([]complex128, h+1)}
	shift := 64 - bits.Len(uint(h-1))
	for i := range t.swap {
		t.swap[i] = int32(bits.Reverse64(uint64(i)) >> shift)
	}
	for k := range t.twiddle {
		s, c := math.Sincos(-2 * math.Pi * float64(k) / float64(n))
		t.twiddle[k] = complex(c, s)
	}
	return t
}

// half is the complex transform of n/2 points.
func (t *realFFT) half(z []complex128) {
	for i, j := range t.swap {
		if int(j) > i {
			z[i], z[j] = z[j], z[i]
		}
	}
	h := len(z)
	for size := 2; size <= h; size *= 2 {
		step := t.n / size
		m := size / 2
		for start := 0; start < h; start += size {
			lo, hi := z[start:start+m], z[start+m:start+size]
			for k := range lo {
				a, b := lo[k], hi[k]*t.twiddle[k*step]
				lo[k], hi[k] = a+b, a-b
			}
		}
	}
}

// forward writes the bins 0..n/2 of the spectrum of x (n samples) to bins (n/2+1 values).
func (t *realFFT) forward(bins []complex128, x []float64) {
	h := t.n / 2
	z := bins[:h]
	for i := range z {
		z[i] = complex(x[2*i], x[2*i+1])
	}
	t.half(z)
	z0 := z[0]
	for k := 1; k <= h/2; k++ {
		a, b := z[k], conj(z[h-k])
		even := (a + b) * 0.5
		odd := (a - b) * complex(0, -0.5) * t.twiddle[k]
		bins[k], bins[h-k] = even+odd, conj(even-odd)
	}
	bins[0] = complex(real(z0)+imag(z0), 0)
	bins[h] = complex(real(z0)-imag(z0), 0)
}

// inverse writes the n samples whose spectrum is bins to x, and uses bins up.
func (t *realFFT) inverse(x []float64, bins []complex128) {
	h := t.n / 2
	first, last := real(bins[0]), real(bins[h])
	for k := 1; k <= h/2; k++ {
		a, b := bins[k], conj(bins[h-k])
		even := (a + b) * 0.5
		odd := (a - b) * 0.5 * conj(t.twiddle[k])
		// The conjugate goes in and comes out, which makes the forward transform an inverse one.
		bins[k] = conj(even + complex(-imag(odd), real(odd)))
		bins[h-k] = conj(conj(even) + complex(imag(odd), real(odd)))
	}
	z := bins[:h]
	z[0] = complex((first+last)/2, -(first-last)/2)
	t.half(z)
	scale := 1 / float64(h)
	for i, v := range z {
		x[2*i], x[2*i+1] = real(v)*scale, -imag(v)*scale
	}
}

func conj(z complex128) complex128 { return complex(real(z), -imag(z)) }

var frameFFT = sync.OnceValue(func() *realFFT { return newRealFFT(frameSamples) })

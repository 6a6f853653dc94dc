package audio

import (
	"math"
	"math/cmplx"
	"testing"
)

func TestFFTAgainstDefinition(t *testing.T) {
	const n = 64
	x := whiteNoise(n, 1, 9)
	bins := make([]complex128, n/2+1)
	fft := newRealFFT(n)
	fft.forward(bins, x)
	for k := range bins {
		want := complex(0, 0)
		for i, v := range x {
			want += complex(v, 0) * cmplx.Exp(complex(0, -2*math.Pi*float64(k*i)/n))
		}
		if cmplx.Abs(bins[k]-want) > 1e-12*n {
			t.Errorf("bin %d: %v, by definition %v", k, bins[k], want)
		}
	}
	back := make([]float64, n)
	fft.inverse(back, bins)
	for i := range x {
		if math.Abs(back[i]-x[i]) > 1e-13*n {
			t.Errorf("sample %d came back as %v, was %v", i, back[i], x[i])
		}
	}
}

// The values of E1 are those of Abramowitz & Stegun, tables 5.1 and 5.2.
func TestLSAGain(t *testing.T) {
	for _, c := range []struct{ x, want float64 }{
		{0.01, 4.0379295765}, {0.1, 1.8229239584}, {0.5, 0.5597735948}, {1, 0.2193839344}, {2, 0.0489005107},
		{10, 4.156968930e-6},
	} {
		if got := expIntegral(c.x); math.Abs(got/c.want-1) > 1e-8 {
			t.Errorf("E1(%g) = %.10g, not %.10g", c.x, got, c.want)
		}
	}
	table := lsaGains()
	for v := 1.1e-6; v < 15.9; v *= 1.013 {
		if got, want := table.at(v), math.Exp(expIntegral(v)/2); math.Abs(got/want-1) > 1e-4 {
			t.Errorf("exp(E1(v)/2) at v=%g: %g, not %g", v, got, want)
		}
	}
	if table.at(16) != 1 || table.at(0) != table.value[0] || table.at(math.Inf(1)) != 1 {
		t.Error("table does not clamp at its ends")
	}
}

package activation

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestAgainstMath(t *testing.T) {
	for x := -100.0; x <= 100; x += 0.037 {
		if got, want := float64(Sigmoid(float32(x))), 1/(1+math.Exp(-x)); math.Abs(got-want) > 1e-5 {
			t.Errorf("sigmoid of %g: %g, want %g", x, got, want)
		}
		if got, want := float64(Tanh(float32(x))), math.Tanh(x); math.Abs(got-want) > 1e-5 {
			t.Errorf("tanh of %g: %g, want %g", x, got, want)
		}
	}
}

func TestExponential(t *testing.T) {
	for x := -60.0; x < 60; x += 0.0137 {
		if got, want := float64(exp(float32(x))), math.Exp(x); math.Abs(got/want-1) > 1e-5 {
			t.Fatalf("exp(%v) is %v, want %v", x, got, want)
		}
	}
}

// However units are moved on, it is to the last bit the same.
func TestUnits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := beside; n <= 10*beside; n += beside {
		for _, spread := range []float64{0.1, 1, 10, 100} {
			numbers := func() []float32 {
				out := make([]float32, n)
				for i := range out {
					out[i] = float32(spread * r.NormFloat64())
				}
				return out
			}
			h, reset, update, candidate, recall, out := numbers(), numbers(), numbers(), numbers(), numbers(), numbers()
			want := slices.Clone(h)
			product := plainUnits(want, reset, update, candidate, recall, out)
			if got := Units(h, reset, update, candidate, recall, out); got != product || !slices.Equal(h, want) {
				t.Fatalf("%d units: %v and %v, want %v and %v", n, got, h, product, want)
			}
		}
	}
}

package activation

import (
	"math"
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

// Of many numbers at a time the functions are to the last bit those of one.
func TestManyAtATime(t *testing.T) {
	for length := range 12 {
		for from := float32(-100); from < 100; from += 0.0371 {
			x := make([]float32, length)
			for i := range x {
				x[i] = from + 0.917*float32(i)
			}
			sigmoids, tanhs := slices.Clone(x), slices.Clone(x)
			Sigmoids(sigmoids)
			Tanhs(tanhs)
			for i, v := range x {
				if sigmoids[i] != Sigmoid(v) || tanhs[i] != Tanh(v) {
					t.Fatalf("of %v, the %dth of %d: %v and %v, want %v and %v", v, i, length, sigmoids[i], tanhs[i], Sigmoid(v), Tanh(v))
				}
			}
		}
	}
}

package activation

import (
	"math"
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

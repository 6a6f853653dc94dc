//go:build linux && cgo

package fakemodels

import (
	"math/rand/v2"
	"testing"
)

// mixed is speech made weaker, with white noise of the given amplitude.
func mixed(samples []int16, gain, noise float64) []int16 {
	random := rand.New(rand.NewPCG(3, 4))
	out := make([]int16, len(samples))
	for i, v := range samples {
		out[i] = int16(gain*float64(v) + noise*(2*random.Float64()-1))
	}
	return out
}

func TestModelsHearThroughNoise(t *testing.T) {
	a := English()
	said := long(a)
	r := streamingCTC(t, a)
	for name, c := range map[string]struct{ gain, noise float64 }{
		"weak": {0.05, 0}, "noisy": {1, 300}, "weak and noisy": {0.1, 30},
	} {
		t.Run(name, func(t *testing.T) {
			got := stream(t, r, mixed(said.Samples, c.gain, c.noise), 1600)
			check(t, got.Tokens, got.Timestamps, said.Tokens)
		})
	}
}

func TestModelsHearNothingInNoise(t *testing.T) {
	r := streamingCTC(t, English())
	for _, noise := range []float64{0, 1, 100, 20000} {
		if got := stream(t, r, mixed(make([]int16, 60*SampleRate), 0, noise), 16000); len(got.Tokens) != 0 {
			t.Errorf("in noise of amplitude %v heard %q at %v", noise, got.Tokens, got.Timestamps)
		}
	}
}

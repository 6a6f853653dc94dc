package logmel

import "testing"

// Butterflies are the same on a processor without AVX.
func TestButterfliesByTwo(t *testing.T) {
	checkButterflies(t, func(re, im []float64, w []twiddles) { butterflies2(&re[0], &im[0], &w[0], len(w)) })
}

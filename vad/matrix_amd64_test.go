package vad

import "testing"

// Products are the same on a processor without AVX.
func TestProductsOfSingleBlocks(t *testing.T) {
	checkProducts(t, func(y, w, x []float32) {
		for ; len(y) > 0; y, w = y[block:], w[block*len(x):] {
			product16((*[block]float32)(y), &w[0], &x[0], len(x))
		}
	})
}

//go:build !amd64

package vad

// product sets y to the product of a block and x.
func product(y *[block]float32, w, x []float32) { plainProduct(y, w, x) }

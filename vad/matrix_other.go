//go:build !amd64

package vad

// products sets y to the products of as many blocks and x.
func products(y, w, x []float32) { plainProducts(y, w, x) }

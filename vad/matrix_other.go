//go:build !amd64

package vad

func product(y *[block]float32, w, x []float32, plus *[block]float32, least float32) {
	plainProduct(y, w, x, plus, least)
}

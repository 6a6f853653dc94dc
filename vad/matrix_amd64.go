package vad

import "golang.org/x/sys/cpu"

// product does the work of plainProduct, to the last bit. It is in assembly, but for a
// processor without AVX2.
func product(y *[block]float32, w, x []float32, plus *[block]float32, least float32) {
	if !cpu.X86.HasAVX2 {
		plainProduct(y, w, x, plus, least)
		return
	}
	vectorProduct(y, &w[:block*len(x)][0], &x[0], len(x), plus, least)
}

// vectorProduct is plainProduct in assembly, of so many columns, at least one. It needs AVX2.
//
//go:noescape
func vectorProduct(y *[block]float32, w, x *float32, columns int, plus *[block]float32, least float32)

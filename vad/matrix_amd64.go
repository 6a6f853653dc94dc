package vad

import "golang.org/x/sys/cpu"

// products does the work of plainProducts, to the last bit.
func products(y, w, x []float32) {
	for cpu.X86.HasAVX && len(y) >= 3*block {
		product48((*[3 * block]float32)(y), &w[0], &x[0], len(x))
		y, w = y[3*block:], w[3*block*len(x):]
	}
	singleProducts(y, w, x)
}

// singleProducts is products on a processor without AVX: a block at a time.
func singleProducts(y, w, x []float32) {
	for ; len(y) > 0; y, w = y[block:], w[block*len(x):] {
		product16((*[block]float32)(y), &w[0], &x[0], len(x))
	}
}

// product16 sets y to the product of a block of the given number of columns, at least one, and x. It is in assembly, and
// multiplies four rows with each instruction.
//
//go:noescape
func product16(y *[block]float32, w, x *float32, columns int)

// product48 is product16 of three blocks, eight rows with each instruction. It needs AVX.
//
//go:noescape
func product48(y *[3 * block]float32, w, x *float32, columns int)

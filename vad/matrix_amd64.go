package vad

// product sets y to the product of a block and x.
func product(y *[block]float32, w, x []float32) {
	product16(y, &w[0], &x[0], len(x))
}

// product16 is product in assembly, for a block of the given number of columns, at least one. It multiplies four rows with each
// instruction.
//
//go:noescape
func product16(y *[block]float32, w, x *float32, columns int)

package vad

// product sets y to the product of a block and x.
func product(y *[block]float32, w, x []float32) {
	product16(y, &w[0], &x[0], len(x))
}

// product16 does it for `columns` columns, at least one, four rows with an instruction.
//
//go:noescape
func product16(y *[block]float32, w, x *float32, columns int)

package activation

// curves puts base+part/(1+exp(scale*x)) in the place of each x, to the last bit what exp gives, and returns of how many: of all
// but the last three at most.
func curves(x []float32, scale, base, part float32) int {
	fours := len(x) / 4
	if fours > 0 {
		curve4(&x[0], fours, scale, base, part)
	}
	return 4 * fours
}

// curve4 is curves in assembly, for so many times four numbers, at least one.
//
//go:noescape
func curve4(x *float32, fours int, scale, base, part float32)

package asr

// EvenShare returns how much of a room a party has at most that needs own. needs are those of all
// parties, own among them, the least first: all may have equally much, and what those need less
// that need least is the others'.
func EvenShare(room float64, needs []float64, own float64) float64 {
	for i, n := range needs {
		each := room / float64(len(needs)-i)
		if n >= own || n > each {
			return each
		}
		room -= n
	}
	return room
}

package logmel

// butterflies does the work of plainButterflies, to the last bit.
func butterflies(re, im []float64, w []twiddles) { butterflies2(&re[0], &im[0], &w[0], len(w)) }

// butterflies2 is butterflies in assembly, two at a time. n is the number of twiddles, at least one.
//
//go:noescape
func butterflies2(re, im *float64, w *twiddles, n int)

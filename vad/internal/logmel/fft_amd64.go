package logmel

import "golang.org/x/sys/cpu"

// butterflies does the work of plainButterflies, to the last bit.
func butterflies(re, im []float64, w []twiddles) {
	if cpu.X86.HasAVX {
		butterflies4(&re[0], &im[0], &w[0], len(w))
	} else {
		butterflies2(&re[0], &im[0], &w[0], len(w))
	}
}

// butterflies2 is butterflies in assembly, two at a time. n is the number of twiddles, at least one.
//
//go:noescape
func butterflies2(re, im *float64, w *twiddles, n int)

// butterflies4 is butterflies2 four at a time. It needs AVX.
//
//go:noescape
func butterflies4(re, im *float64, w *twiddles, n int)

// weigh does the work of plainWeigh, to the last bit.
func weigh(re, im *[points]float64, window *[winSize]int16) {
	weigh8(&re[0], &im[0], &window[0], &tables.even[0], &tables.odd[0], winSize/8)
}

// weigh8 is weigh in assembly, for n times eight samples.
//
//go:noescape
func weigh8(re, im *float64, samples *int16, even, odd *float64, n int)

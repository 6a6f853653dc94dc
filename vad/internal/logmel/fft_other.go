//go:build !amd64

package logmel

func butterflies(re, im []float64, w []twiddles) { plainButterflies(re, im, w) }

func weigh(re, im *[points]float64, window *[winSize]int16) { plainWeigh(re, im, window) }

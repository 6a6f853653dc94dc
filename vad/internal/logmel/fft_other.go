//go:build !amd64

package logmel

func butterflies(re, im []float64, w []twiddles) { plainButterflies(re, im, w) }

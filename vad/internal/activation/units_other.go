//go:build !amd64

package activation

func units(h, reset, update, candidate, recall, out []float32) float32 {
	return plainUnits(h, reset, update, candidate, recall, out)
}

//go:build !amd64

package activation

func curves([]float32, float32, float32, float32) int { return 0 }

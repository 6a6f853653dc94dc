//go:build !goexperiment.simd || !amd64

package matrix

func mulAdd(c, a, b []float32, m, k, n int) {
	for i := range m {
		row := c[i*n : (i+1)*n]
		for p, v := range a[i*k : (i+1)*k] {
			axpy(row, b[p*n:(p+1)*n], v)
		}
	}
}

func axpy(y, x []float32, g float32) {
	for i, v := range x {
		y[i] += g * v
	}
}

// Package matrix multiplies small dense matrices of float32, stored by rows.
//
// Built with GOEXPERIMENT=simd on amd64 it uses vector instructions, which add in
// another order and fuse: results of the two builds differ in their last bits, those of
// one build never.
package matrix

// Lane is the number of columns the second factor and the product must be a multiple of.
const Lane = 8

// MulAdd adds a times b to c: a is m x k, b is k x n, c is m x n, n a multiple of Lane.
func MulAdd(c, a, b []float32, m, k, n int) {
	if n%Lane != 0 {
		panic("matrix: columns are no multiple of Lane")
	}
	mulAdd(c[:m*n], a[:m*k], b[:k*n], m, k, n)
}

// Axpy adds g times x to y, which is at least as long.
func Axpy(y, x []float32, g float32) { axpy(y[:len(x)], x, g) }

// Transpose writes the transpose of a, m x n, to out, n x m.
func Transpose(out, a []float32, m, n int) {
	for i := range m {
		for j, v := range a[i*n : (i+1)*n] {
			out[j*m+i] = v
		}
	}
}

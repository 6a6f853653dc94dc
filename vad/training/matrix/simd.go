//go:build goexperiment.simd && amd64

package matrix

import "simd/archsimd"

func mulAdd(c, a, b []float32, m, k, n int) {
	i := 0
	for ; i+4 <= m; i += 4 {
		j := 0
		for ; j+16 <= n; j += 16 {
			block16(c[i*n+j:], a[i*k:(i+4)*k], b[j:], k, n)
		}
		for ; j < n; j += 8 {
			block8(c[i*n+j:], a[i*k:(i+4)*k], b[j:], k, n)
		}
	}
	for ; i < m; i++ {
		for p, v := range a[i*k : (i+1)*k] {
			axpy(c[i*n:(i+1)*n], b[p*n:(p+1)*n], v)
		}
	}
}

// block16 adds to four rows and sixteen columns.
func block16(c, a, b []float32, k, n int) {
	c0, c1, c2, c3 := c[:16], c[n:n+16], c[2*n:2*n+16], c[3*n:3*n+16]
	s00, s01 := archsimd.LoadFloat32x8Slice(c0), archsimd.LoadFloat32x8Slice(c0[8:])
	s10, s11 := archsimd.LoadFloat32x8Slice(c1), archsimd.LoadFloat32x8Slice(c1[8:])
	s20, s21 := archsimd.LoadFloat32x8Slice(c2), archsimd.LoadFloat32x8Slice(c2[8:])
	s30, s31 := archsimd.LoadFloat32x8Slice(c3), archsimd.LoadFloat32x8Slice(c3[8:])
	a0, a1, a2, a3 := a[:k], a[k:2*k], a[2*k:3*k], a[3*k:4*k]
	for p := range k {
		row := b[p*n : p*n+16]
		x, y := archsimd.LoadFloat32x8Slice(row), archsimd.LoadFloat32x8Slice(row[8:])
		v := archsimd.BroadcastFloat32x8(a0[p])
		s00, s01 = v.MulAdd(x, s00), v.MulAdd(y, s01)
		v = archsimd.BroadcastFloat32x8(a1[p])
		s10, s11 = v.MulAdd(x, s10), v.MulAdd(y, s11)
		v = archsimd.BroadcastFloat32x8(a2[p])
		s20, s21 = v.MulAdd(x, s20), v.MulAdd(y, s21)
		v = archsimd.BroadcastFloat32x8(a3[p])
		s30, s31 = v.MulAdd(x, s30), v.MulAdd(y, s31)
	}
	s00.StoreSlice(c0)
	s01.StoreSlice(c0[8:])
	s10.StoreSlice(c1)
	s11.StoreSlice(c1[8:])
	s20.StoreSlice(c2)
	s21.StoreSlice(c2[8:])
	s30.StoreSlice(c3)
	s31.StoreSlice(c3[8:])
}

// block8 adds to four rows and eight columns.
func block8(c, a, b []float32, k, n int) {
	c0, c1, c2, c3 := c[:8], c[n:n+8], c[2*n:2*n+8], c[3*n:3*n+8]
	s0, s1 := archsimd.LoadFloat32x8Slice(c0), archsimd.LoadFloat32x8Slice(c1)
	s2, s3 := archsimd.LoadFloat32x8Slice(c2), archsimd.LoadFloat32x8Slice(c3)
	a0, a1, a2, a3 := a[:k], a[k:2*k], a[2*k:3*k], a[3*k:4*k]
	for p := range k {
		x := archsimd.LoadFloat32x8Slice(b[p*n : p*n+8])
		s0 = archsimd.BroadcastFloat32x8(a0[p]).MulAdd(x, s0)
		s1 = archsimd.BroadcastFloat32x8(a1[p]).MulAdd(x, s1)
		s2 = archsimd.BroadcastFloat32x8(a2[p]).MulAdd(x, s2)
		s3 = archsimd.BroadcastFloat32x8(a3[p]).MulAdd(x, s3)
	}
	s0.StoreSlice(c0)
	s1.StoreSlice(c1)
	s2.StoreSlice(c2)
	s3.StoreSlice(c3)
}

func axpy(y, x []float32, g float32) {
	v := archsimd.BroadcastFloat32x8(g)
	i := 0
	for ; i+8 <= len(x); i += 8 {
		v.MulAdd(archsimd.LoadFloat32x8Slice(x[i:i+8]), archsimd.LoadFloat32x8Slice(y[i:i+8])).StoreSlice(y[i : i+8])
	}
	for ; i < len(x); i++ {
		y[i] += g * x[i]
	}
}

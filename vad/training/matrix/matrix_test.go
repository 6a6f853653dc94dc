package matrix

import (
	"math"
	"math/rand/v2"
	"testing"
)

func random(n int, r *rand.Rand) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = float32(r.NormFloat64())
	}
	return out
}

func TestMulAddIsTheProduct(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, size := range [][3]int{{1, 1, 8}, {4, 5, 16}, {7, 48, 40}, {144, 48, 64}} {
		m, k, n := size[0], size[1], size[2]
		a, b, c := random(m*k, r), random(k*n, r), random(m*n, r)
		want := make([]float64, m*n)
		for i := range m {
			for j := range n {
				want[i*n+j] = float64(c[i*n+j])
				for p := range k {
					want[i*n+j] += float64(a[i*k+p]) * float64(b[p*n+j])
				}
			}
		}
		MulAdd(c, a, b, m, k, n)
		for i, v := range c {
			if math.Abs(float64(v)-want[i]) > 1e-4 {
				t.Fatalf("%v: element %d is %v, want %v", size, i, v, want[i])
			}
		}
	}
}

func TestTransposeAndAxpy(t *testing.T) {
	a, out := []float32{1, 2, 3, 4, 5, 6}, make([]float32, 6)
	Transpose(out, a, 2, 3)
	if want := [6]float32{1, 4, 2, 5, 3, 6}; [6]float32(out) != want {
		t.Errorf("transpose is %v", out)
	}
	y := make([]float32, 11)
	x := random(11, rand.New(rand.NewPCG(1, 1)))
	Axpy(y, x, 2)
	for i, v := range x {
		if y[i] != 2*v {
			t.Errorf("element %d is %v, want %v", i, y[i], 2*v)
		}
	}
}

func BenchmarkMulAdd(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	x, y, z := random(144*48, r), random(48*64, r), make([]float32, 144*64)
	for b.Loop() {
		MulAdd(z, x, y, 144, 48, 64)
	}
	b.ReportMetric(144*48*64*float64(b.N)/b.Elapsed().Seconds()/1e9, "GMAC/s")
}

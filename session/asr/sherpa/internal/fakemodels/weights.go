package fakemodels

import "math/rand/v2"

// weights deals out random numbers from one pool, so that a model of gigabytes is
// written from a few megabytes.
type weights struct {
	pool   []float32
	random *rand.Rand
}

// spread is the standard deviation of all weights: it keeps signals through layers of
// 200 to 2000 inputs at about their size.
const spread = 0.05

func newWeights() weights {
	w := weights{make([]float32, 1<<21), rand.New(rand.NewPCG(1, 2))}
	for i := range w.pool {
		w.pool[i] = spread * float32(w.random.NormFloat64())
	}
	return w
}

// take returns n numbers, not to be changed. They may be taken again.
func (w weights) take(n int) []float32 {
	at := w.random.IntN(len(w.pool) - n)
	return w.pool[at : at+n]
}

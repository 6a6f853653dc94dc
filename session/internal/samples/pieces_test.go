package samples

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Pieces that come and go between several holders have what was put into them.
func TestPieces(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	holders, wants := make([]Pieces, 5), make([][]int16, 5)
	for step := range 1500 {
		i := r.IntN(len(holders))
		h, want := &holders[i], &wants[i]
		if r.IntN(6) == 0 {
			n := r.IntN(len(*want) + 100)
			h.Cut(n)
			*want = (*want)[:min(n, len(*want))]
		} else {
			p := make([]int16, r.IntN([]int{1, 320, 320, PieceSamples + 1, 3 * PieceSamples}[r.IntN(5)]+1))
			for j := range p {
				p[j] = int16(r.Uint32())
			}
			h.Append(p)
			*want = append(*want, p...)
		}
		if h.n != len(*want) || !slices.Equal(h.Whole(), *want) {
			t.Fatalf("step %d: %d samples, want %d", step, h.n, len(*want))
		}
	}
}

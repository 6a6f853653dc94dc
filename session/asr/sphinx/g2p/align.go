package g2p

import "math"

// costs is, for each letter and chunk, the negative logarithm of the probability that the letter
// stands for the chunk.
type costs [letters][1 << 14]float32

// Passes over the examples. All but the last use a sample of them, which is enough to learn what
// letters stand for.
const (
	passes   = 4
	sampling = 4
)

// align returns for each example how many phones, 0 to 2, each of its letters stands for; nil: it
// has no such alignment. The best alignments and the costs are computed in turn, starting from
// costs that only prefer one phone for each letter.
func align(examples []example) [][]byte {
	c := newCosts()
	var path aligner
	for range passes {
		var counts costs
		for i := 0; i < len(examples); i += sampling {
			counts.add(examples[i], path.best(examples[i], c))
		}
		c = counts.costs()
	}
	out := make([][]byte, len(examples))
	for i, x := range examples {
		out[i] = path.best(x, c)
	}
	return out
}

func newCosts() *costs {
	c := new(costs)
	for letter := range c {
		for k := range c[letter] {
			switch {
			case k == 0:
				c[letter][k] = 3
			case k <= maxPhones:
				c[letter][k] = 1
			default:
				c[letter][k] = 6
			}
		}
	}
	return c
}

// add counts what the letters of an example stand for.
func (c *costs) add(x example, lengths []byte) {
	phones := x.phones
	for i, n := range lengths {
		c[x.word[i]-'a'][chunkOf(phones[:n])]++
		phones = phones[n:]
	}
}

// costs returns the costs of these counts. What was never counted stays possible, at a high cost.
func (c *costs) costs() *costs {
	out := new(costs)
	for letter := range c {
		var sum float64
		for _, n := range c[letter] {
			sum += float64(n)
		}
		for k, n := range c[letter] {
			out[letter][k] = -float32(math.Log((float64(n) + 0.01) / (sum + 1)))
		}
	}
	return out
}

// aligner is scratch memory: the cost of the best path to each pair of letters and phones, and the
// phones of the last letter on it.
type aligner struct {
	cost [maxWord + 1][2*maxWord + 1]float32
	last [maxWord + 1][2*maxWord + 1]byte
}

func (a *aligner) best(x example, c *costs) []byte {
	n, m := len(x.word), len(x.phones)
	for i := range n + 1 {
		for j := range m + 1 {
			a.cost[i][j] = math.MaxFloat32
		}
	}
	a.cost[0][0] = 0
	for i := range n {
		letter := &c[x.word[i]-'a']
		for j := range min(m, 2*i) + 1 {
			for k := 0; k <= 2 && j+k <= m; k++ {
				if cost := a.cost[i][j] + letter[chunkOf(x.phones[j:j+k])]; cost < a.cost[i+1][j+k] {
					a.cost[i+1][j+k], a.last[i+1][j+k] = cost, byte(k)
				}
			}
		}
	}
	if a.cost[n][m] == math.MaxFloat32 {
		return nil
	}
	out := make([]byte, n)
	for i := n; i > 0; i-- {
		out[i-1] = a.last[i][m]
		m -= int(out[i-1])
	}
	return out
}

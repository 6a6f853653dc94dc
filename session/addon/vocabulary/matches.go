package vocabulary

import (
	"math"
	"slices"
)

// chooseMatches picks the matches that gain the most and do not overlap, in their order. ends has
// them by their ends.
func chooseMatches(ends [][]match, words int) []match {
	gains, last := make([]float64, words+1), make([]*match, words+1)
	for end := 1; end <= words; end++ {
		gains[end] = gains[end-1]
		for i := range ends[end] {
			m := &ends[end][i]
			if gain := gains[m.from] + math.Max(float64(m.gain), 1e-6); gain > gains[end] {
				gains[end], last[end] = gain, m
			}
		}
	}
	var out []match
	for end := words; end > 0; {
		if m := last[end]; m != nil {
			out = append(out, *m)
			end = m.from
		} else {
			end--
		}
	}
	slices.Reverse(out)
	return out
}

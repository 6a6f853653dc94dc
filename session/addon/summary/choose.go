package summary

import (
	"cmp"
	"math"
	"slices"
)

const (
	// pool is how many of the best ranked are looked at.
	pool = 200
	// own is the share of a sentence's rank against how much of it the chosen ones already say.
	own = 0.6
)

// choose takes up to n of the candidates, in their order: each time the one that ranks highest and repeats least.
func choose(all []candidate, n int) []candidate {
	best := ranked(all)
	top := max(all[best[0]].rank, math.SmallestNonzeroFloat64)
	told := map[int]bool{} // the terms of the chosen ones
	var chosen []int
	for len(chosen) < n && len(best) > 0 {
		at, most := 0, math.Inf(-1)
		for i, c := range best {
			if worth := own*all[c].rank/top - (1-own)*all[c].vec.known(told); worth > most {
				at, most = i, worth
			}
		}
		chosen = append(chosen, best[at])
		for _, e := range all[best[at]].vec {
			told[e.term] = true
		}
		best = slices.Delete(best, at, at+1)
	}
	slices.Sort(chosen)
	picked := make([]candidate, len(chosen))
	for i, c := range chosen {
		picked[i] = all[c]
	}
	return picked
}

// ranked are the best, highest first; among equals the earlier. What is said twice in the same words is there once.
func ranked(all []candidate) []int {
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(all[b].rank, all[a].rank) })
	seen := map[string]bool{}
	order = slices.DeleteFunc(order, func(i int) bool {
		again := seen[all[i].text]
		seen[all[i].text] = true
		return again
	})
	return order[:min(pool, len(order))]
}

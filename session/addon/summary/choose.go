package summary

import (
	"cmp"
	"math"
	"slices"
)

const (
	// pool is how many of the candidates that rank best are considered.
	pool = 200
	// own is the weight of a sentence's rank; the rest is that of what it repeats of the sentences
	// chosen so far.
	own = 0.6
)

// choose returns up to n of the candidates, in their order. It takes them one after the other: each
// time the one with the best balance of a high rank and little repetition.
func choose(all []candidate, n int) []candidate {
	best := withContent(all, ranked(all), n)
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

// withContent returns the best candidates without those that have no content words, if there are
// more than n and others.
func withContent(all []candidate, best []int, n int) []int {
	empty := func(i int) bool { return len(all[i].vec) == 0 }
	if len(best) <= n || !slices.ContainsFunc(best, func(i int) bool { return !empty(i) }) {
		return best
	}
	return slices.DeleteFunc(best, empty)
}

// ranked returns the indices of the best candidates, highest rank first, of equals the earlier
// first. Of candidates with the same text only one is there.
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

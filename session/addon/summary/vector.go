package summary

import (
	"math"
	"slices"
)

// common is the share of sentences above which a word counts as a stop word, in languages without a
// list of them.
const common = 0.2

// entry is one term of a sentence.
type entry struct {
	term   int
	weight float64
}

// vector is a sentence as its weighted terms, sorted by term and normalized to length 1; empty for
// a sentence without terms.
type vector []entry

// vectors returns the vector of each sentence: its stems weighted by TF-IDF.
func vectors(stems [][]string, listed []bool) []vector {
	ids, in := number(stems)
	all := make([]vector, len(stems))
	n := float64(len(stems))
	for i, terms := range ids {
		for _, e := range tally(terms) {
			share := float64(in[e.term]) / n
			if !listed[i] && n >= 10 && share > common {
				continue
			}
			e.weight = (1 + math.Log(e.weight)) * math.Log(1+1/share)
			all[i] = append(all[i], e)
		}
		all[i].normalise()
	}
	return all
}

// number assigns a number to each stem in the order of its first use, and counts the sentences it
// is in.
func number(stems [][]string) (ids [][]int, in []int) {
	known := map[string]int{}
	last := []int{}
	ids = make([][]int, len(stems))
	for i, terms := range stems {
		for _, s := range terms {
			id, ok := known[s]
			if !ok {
				id = len(known)
				known[s] = id
				in, last = append(in, 0), append(last, -1)
			}
			if last[id] != i {
				in[id]++
				last[id] = i
			}
			ids[i] = append(ids[i], id)
		}
	}
	return ids, in
}

// tally returns the distinct numbers in ascending order with their counts.
func tally(ids []int) vector {
	var v vector
	slices.Sort(ids)
	for _, id := range ids {
		if len(v) > 0 && v[len(v)-1].term == id {
			v[len(v)-1].weight++
			continue
		}
		v = append(v, entry{id, 1})
	}
	return v
}

func (v vector) normalise() {
	sum := 0.0
	for _, e := range v {
		sum += e.weight * e.weight
	}
	for i := range v {
		v[i].weight /= math.Sqrt(sum)
	}
}

// known returns the share of a sentence that terms cover, in [0,1].
func (v vector) known(terms map[int]bool) float64 {
	sum := 0.0
	for _, e := range v {
		if terms[e.term] {
			sum += e.weight * e.weight
		}
	}
	return sum
}

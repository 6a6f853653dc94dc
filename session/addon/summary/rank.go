package summary

const (
	// rounds is the number of steps of the walk. After about thirty its result changes by less than
	// a thousandth.
	rounds = 30
	// damping is that of PageRank: the share of the walk that follows what sentences have in
	// common.
	damping = 0.85
	// alone is the degree below which a sentence has nothing in common with any other. It is above
	// 0 because degrees are differences of sums, which are rounded.
	alone = 1e-9
)

// rank weighs each sentence by how much it has in common with all. The cosines of all pairs are the
// product of the sentences' vectors with themselves, so a step of the walk goes through the terms
// instead of the pairs, and its cost is linear in the number of words.
func rank(all []candidate) {
	if len(all) == 0 {
		return
	}
	n := float64(len(all))
	flow := make([]float64, size(all))
	degree, share, next := make([]float64, len(all)), make([]float64, len(all)), make([]float64, len(all))
	for i := range share {
		share[i] = 1
	}
	spread(all, flow, share, degree)
	p := make([]float64, len(all))
	for i := range p {
		p[i] = 1 / n
	}
	for range rounds {
		for i := range p {
			share[i] = 0
			if degree[i] > alone {
				share[i] = p[i] / degree[i]
			}
		}
		spread(all, flow, share, next)
		for i := range p {
			p[i] = (1-damping)/n + damping*next[i]
		}
	}
	for i := range all {
		all[i].rank = max(p[i]*n, 0) * all[i].weight * place(i, len(all))
	}
}

// spread sets each sentence's share to the sum of the others' shares, each multiplied by the cosine
// of the two.
func spread(all []candidate, flow, share, to []float64) {
	clear(flow)
	for i, c := range all {
		for _, e := range c.vec {
			flow[e.term] += e.weight * share[i]
		}
	}
	for i, c := range all {
		sum := 0.0
		for _, e := range c.vec {
			sum += e.weight * flow[e.term]
		}
		to[i] = sum
		if len(c.vec) > 0 {
			to[i] -= share[i] // what it has in common with itself
		}
	}
}

// size returns the highest number of a term plus 1.
func size(all []candidate) int {
	n := 0
	for _, c := range all {
		if len(c.vec) > 0 {
			n = max(n, c.vec[len(c.vec)-1].term+1)
		}
	}
	return n
}

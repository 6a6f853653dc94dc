package fusion

import "slices"

// slot is one place of the network, with an arc of each hypothesis aligned so far, in their order.
type slot []arc

// network aligns hypotheses one after another (Fiscus 1997, "A post-processing system to yield
// reduced word error rates": a word transition network made by iterative alignment).
func network(hypotheses []*hypothesis) []slot {
	var net []slot
	for i, b := range hypotheses {
		net = join(net, hypotheses[:i], b)
	}
	return net
}

// The costs of the alignment, those of NIST's scoring tools. Where a hypothesis has no word
// already, another without one costs nothing.
const (
	costSubstitute = 4
	costInsert     = 3
	costDelete     = 3
	costApart      = costInsert + costDelete + 1 // more than standing in separate slots
)

// The steps of an alignment.
const (
	stepPair   = byte(iota) // the word stands in the slot
	stepSkip                // none of the words stands in the slot
	stepInsert              // the word stands in a slot of its own
)

// join aligns another hypothesis with a network at the least cost. before are the hypotheses in the
// network.
func join(net []slot, before []*hypothesis, b *hypothesis) []slot {
	arcs := make([]arc, len(b.words))
	for j := range b.words {
		arcs[j] = arc{b, &b.words[j], normal(b.words[j].Text)}
	}
	var out []slot
	i, j := len(net), len(arcs)
	steps := align(net, arcs)
	for i > 0 || j > 0 {
		switch steps[i*(len(arcs)+1)+j] {
		case stepPair:
			i, j = i-1, j-1
			out = append(out, append(net[i], arcs[j]))
		case stepSkip:
			i--
			out = append(out, append(net[i], arc{hypothesis: b}))
		case stepInsert:
			j--
			out = append(out, append(empty(before), arcs[j]))
		}
	}
	slices.Reverse(out)
	return out
}

// empty returns a slot in which no hypothesis has a word.
func empty(hypotheses []*hypothesis) slot {
	s := make(slot, 0, len(hypotheses)+1)
	for _, b := range hypotheses {
		s = append(s, arc{hypothesis: b})
	}
	return s
}

// align returns the last step of the cheapest path to each pair of i slots and j words, at
// i*(len(arcs)+1)+j. Of equally cheap steps it takes the first, but words in different slots stay
// in the order of time.
func align(net []slot, arcs []arc) []byte {
	width := len(arcs) + 1
	steps := make([]byte, (len(net)+1)*width)
	above, row := make([]int, width), make([]int, width)
	for j := 1; j < width; j++ {
		row[j], steps[j] = j*costInsert, stepInsert
	}
	for i, s := range net {
		above, row = row, above
		line := steps[(i+1)*width:]
		skip := s.skipping()
		row[0], line[0] = above[0]+skip, stepSkip
		for j, a := range arcs {
			row[j+1], line[j+1] = above[j]+s.pairing(a), stepPair
			if cost := above[j+1] + skip; cost < row[j+1] {
				row[j+1], line[j+1] = cost, stepSkip
			}
			if cost := row[j] + costInsert; cost < row[j+1] || cost == row[j+1] && line[j+1] == stepSkip &&
				s.before(a) {
				row[j+1], line[j+1] = cost, stepInsert
			}
		}
	}
	return steps
}

// before reports whether the words of this slot were spoken before another.
func (s slot) before(a arc) bool {
	return a.hypothesis.timed && slices.ContainsFunc(s, func(other arc) bool {
		return other.word != nil && other.hypothesis.timed && other.word.Start < a.word.Start
	})
}

// pairing returns the cost of a word in this slot.
func (s slot) pairing(a arc) int {
	cost := costSubstitute
	for _, other := range s {
		switch {
		case other.distant(a):
			return costApart
		case other.same(a):
			cost = 0
		case other.word == nil:
			cost = min(cost, costInsert)
		}
	}
	return cost
}

// skipping returns the cost of no word in this slot.
func (s slot) skipping() int {
	if slices.ContainsFunc(s, func(a arc) bool { return a.word == nil }) {
		return 0
	}
	return costDelete
}

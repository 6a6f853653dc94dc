package speaker

import "math"

// labels numbers the clusters of n groups that merges leave, from 0 in the order of their first group.
func labels(n int, steps []merge) []int {
	into := make([]int, n)
	for i := range into {
		into[i] = i
	}
	for _, m := range steps {
		into[root(into, m.from)] = root(into, m.into)
	}
	var number numbering
	out := make([]int, n)
	for i := range out {
		out[i] = number.of(root(into, i))
	}
	return out
}

func root(into []int, i int) int {
	for into[i] != i {
		into[i] = into[into[i]]
		i = into[i]
	}
	return i
}

const (
	// A speaker has spoken for 1.2 s, and for a 200th of all speech: in a long recording there is always something odd.
	enoughFrames = longEnough
	enoughShare  = 1.0 / 200
	// Two branches of the tree are two speakers from so far apart on: the first two, and any more. Who asks for speakers
	// to be told apart has reason to think that there are two. What is doubtful about a branch is added, the second
	// numbers by the root of its frames: so much further apart are branches of one voice the smaller they are. It never
	// takes less than leastApart: long branches of one voice differ too, those of readers by up to 2.3 from 15 s on.
	withoutDoubt          = 1.9
	firstDoubt, moreDoubt = 35.0, 50.0
	leastApart            = 2.5
)

// far is how far apart two branches have to be of which the smaller has so many frames. See [apart].
func far(doubt, frames float64) float64 {
	return max(withoutDoubt+doubt/math.Sqrt(max(frames, 1)), leastApart)
}

// several says of each merge of a tree whether it joins more than one speaker: two, or those of a merge below. One that
// joins several with others of several can have its branches less far apart than two of them are.
func several(steps []merge, enough float64) []bool {
	out := make([]bool, len(steps))
	below := map[int]bool{}
	for k, m := range steps {
		two := m.smaller >= enough && m.apart >= far(moreDoubt, m.smaller)
		out[k] = two || below[m.from] || below[m.into]
		below[m.into] = out[k]
	}
	return out
}

// kept returns the merges of a whole tree that join voices of one speaker: from its root down, two branches are two
// speakers where they, or any below, are far enough apart and each has spoken for long enough. There will be least to most
// clusters, if there are so many groups.
func kept(steps []merge, least, most int, enough float64) []merge {
	var out []merge
	open := map[int]bool{}
	if len(steps) > 0 {
		open[steps[len(steps)-1].into] = true
	}
	clusters := 1
	more := several(steps, enough)
	for k := len(steps) - 1; k >= 0; k-- {
		m := steps[k]
		above := open[m.into]
		two := more[k] || clusters == 1 && m.apart >= far(firstDoubt, m.smaller)
		apart := above && m.smaller >= enough && two
		switch {
		case clusters < least || apart && clusters < most:
			open[m.from] = true
			clusters++
		case above && m.smaller < enough:
			open[m.into] = false
			open[m.larger] = true
			out = append(out, m)
		default:
			open[m.into] = false
			out = append(out, m)
		}
	}
	return out
}

package speaker

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
	// to be told apart has reason to think that there are two. What is doubtful about a small branch is added: the second
	// number by its frames.
	firstTwo, firstDoubt = 3.0, 200.0
	anyMore, moreDoubt   = 3.3, 400.0
)

// far is how far apart a further speaker has to be, of whom there are so many frames. See [apart].
func far(clusters int, frames float64) float64 {
	if clusters == 1 {
		return firstTwo + firstDoubt/max(frames, 1)
	}
	return anyMore + moreDoubt/max(frames, 1)
}

// kept returns the merges of a whole tree that join voices of one speaker: from its root down, two branches are two
// speakers where they are far enough apart and each has spoken for long enough. There will be least to most clusters,
// if there are so many groups.
func kept(steps []merge, least, most int, enough float64) []merge {
	var out []merge
	open := map[int]bool{}
	if len(steps) > 0 {
		open[steps[len(steps)-1].into] = true
	}
	clusters := 1
	for k := len(steps) - 1; k >= 0; k-- {
		m := steps[k]
		above := open[m.into]
		apart := above && m.smaller >= enough && m.apart >= far(clusters, m.smaller)
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

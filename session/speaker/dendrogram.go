package speaker

import "math"

// labels returns the cluster of each of n groups after merges, numbered from 0 in the order of
// their first group.
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
	// A speaker has at least 1.2 s, and a 200th of all speech: a long recording always has some
	// outliers.
	enoughFrames = minSpeakerFrames
	enoughShare  = 1.0 / 200
	// Two branches of the tree are two speakers if their distance is at least baseThreshold plus a
	// doubt divided by the root of the frames of the smaller one, because small branches of one
	// voice differ more. The doubt is less for the first two speakers: a client who asks for
	// diarization expects two. The threshold is never below leastThreshold: long branches of one
	// voice differ too, those of readers by up to 2.3 from 15 s on.
	baseThreshold         = 1.9
	firstDoubt, moreDoubt = 35.0, 50.0
	leastThreshold        = 2.5
)

// threshold returns the least distance of the branches of two speakers of which the smaller has a
// number of frames.
func threshold(doubt, frames float64) float64 {
	return max(baseThreshold+doubt/math.Sqrt(max(frames, 1)), leastThreshold)
}

// joinsSpeakers reports for each merge of a tree whether it joins more than one speaker, by its own
// distance or by that of a merge below: groups of several speakers may be closer to each other than
// two of their speakers are.
func joinsSpeakers(steps []merge, enough float64) []bool {
	out := make([]bool, len(steps))
	below := map[int]bool{}
	for k, m := range steps {
		two := m.smaller >= enough && m.distance >= threshold(moreDoubt, m.smaller)
		out[k] = two || below[m.from] || below[m.into]
		below[m.into] = out[k]
	}
	return out
}

// withinSpeakers returns the merges of a whole tree that join speech of one speaker. From its root
// down, two branches are two speakers if they, or any branches below, are distant enough and each
// has at least enough frames. The number of clusters that result is from least to most, if there
// are that many groups.
func withinSpeakers(steps []merge, least, most int, enough float64) []merge {
	var out []merge
	open := map[int]bool{}
	if len(steps) > 0 {
		open[steps[len(steps)-1].into] = true
	}
	clusters := 1
	more := joinsSpeakers(steps, enough)
	for k := len(steps) - 1; k >= 0; k-- {
		m := steps[k]
		above := open[m.into]
		two := more[k] || clusters == 1 && m.distance >= threshold(firstDoubt, m.smaller)
		separate := above && m.smaller >= enough && two
		switch {
		case clusters < least || separate && clusters < most:
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

package speaker

import "context"

const (
	batchSize = 400 // groups clustered together
	// mergePenalty is the weight of the penalty for complexity.
	mergePenalty = 1.2
)

// clustering is the agglomerative clustering of the segments of a recording. Its merges are in
// order: later ones join ever larger groups, up to a single one.
type clustering struct {
	segments []segment
	batches  []merge // within batches, while there are too many segments to compare all of them
	tree     []merge // of the groups that remain after them
}

// cluster clusters the segments: if there are many, neighbors first, batch by batch, until a
// quarter is left; then all.
func (v *features) cluster(ctx context.Context, c cutting) (*clustering, error) {
	segments, err := v.segments(ctx, c)
	if err != nil {
		return nil, err
	}
	f := &clustering{segments: segments}
	groups := make([]gaussian, len(segments))
	number := make([]int, len(segments)) // by group, the segment that represents it
	for i, p := range segments {
		groups[i], number[i] = v.gaussian(p.from, p.to), i
	}
	for len(groups) > batchSize {
		var left []gaussian
		var of []int
		for at := 0; at < len(groups); at += batchSize {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			to := min(at+batchSize, len(groups))
			steps := agglomerate(groups[at:to], v.prior, mergePenalty, (to-at+3)/4)
			gone := map[int]bool{}
			for _, m := range steps {
				gone[m.from] = true
			}
			f.batches = append(f.batches, renumbered(steps, number[at:to])...)
			for i := range to - at {
				if !gone[i] {
					left, of = append(left, groups[at+i]), append(of, number[at+i])
				}
			}
		}
		groups, number = left, of
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f.tree = renumbered(agglomerate(groups, v.prior, mergePenalty, 1), number)
	return f, nil
}

// renumbered changes the groups of merges to their numbers among the segments.
func renumbered(steps []merge, number []int) []merge {
	for i := range steps {
		m := &steps[i]
		m.from, m.into, m.larger = number[m.from], number[m.into], number[m.larger]
	}
	return steps
}

// speakers returns the speaker of each frame, from 0 on, and the number of speakers.
func (f *clustering) speakers(frames int, steps []merge) ([]uint8, int) {
	label := labels(len(f.segments), append(append([]merge(nil), f.batches...), steps...))
	out := make([]uint8, frames)
	k := 0
	for i, p := range f.segments {
		for j := p.from; j < p.to; j++ {
			out[j] = uint8(label[i])
		}
		k = max(k, label[i]+1)
	}
	return out, k
}

// speakerFrames returns how many frames a speaker has at least.
func (f *clustering) speakerFrames() float64 {
	all := 0
	for _, p := range f.segments {
		all += p.to - p.from
	}
	return max(enoughFrames, enoughShare*float64(all))
}

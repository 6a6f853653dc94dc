package speaker

import "context"

const (
	batch = 400 // groups that are clustered at once
	// mergePenalty is the weight of the penalty for complexity.
	mergePenalty = 1.2
)

// forest is how the pieces of a recording cluster: the merges are in order, those above join ever larger groups up to
// a single one.
type forest struct {
	pieces []piece
	below  []merge // made without question, while there are too many pieces to see them all at once
	tree   []merge // of what those left
}

// grow clusters pieces: where there are many, neighbours first, batch by batch, until a quarter is left; then all.
func (v *voiced) grow(ctx context.Context) (*forest, error) {
	pieces, err := v.pieces(ctx)
	if err != nil {
		return nil, err
	}
	f := &forest{pieces: pieces}
	groups := make([]gaussian, len(pieces))
	number := make([]int, len(pieces)) // of the piece that stands for the group
	for i, p := range pieces {
		groups[i], number[i] = v.gather(p.from, p.to), i
	}
	for len(groups) > batch {
		var left []gaussian
		var of []int
		for at := 0; at < len(groups); at += batch {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			to := min(at+batch, len(groups))
			steps := agglomerate(groups[at:to], v.prior, mergePenalty, (to-at+3)/4)
			gone := map[int]bool{}
			for _, m := range steps {
				gone[m.from] = true
			}
			f.below = append(f.below, renamed(steps, number[at:to])...)
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
	f.tree = renamed(agglomerate(groups, v.prior, mergePenalty, 1), number)
	return f, nil
}

// renamed gives the groups of merges their number among the pieces.
func renamed(steps []merge, number []int) []merge {
	for i := range steps {
		m := &steps[i]
		m.from, m.into, m.larger = number[m.from], number[m.into], number[m.larger]
	}
	return steps
}

// speakers is the speaker of each frame, from 0 on, and their count.
func (f *forest) speakers(frames int, steps []merge) ([]uint8, int) {
	label := labels(len(f.pieces), append(append([]merge(nil), f.below...), steps...))
	out := make([]uint8, frames)
	k := 0
	for i, p := range f.pieces {
		for j := p.from; j < p.to; j++ {
			out[j] = uint8(label[i])
		}
		k = max(k, label[i]+1)
	}
	return out, k
}

// enough are the frames that make a speaker.
func (f *forest) enough() float64 {
	all := 0
	for _, p := range f.pieces {
		all += p.to - p.from
	}
	return max(enoughFrames, enoughShare*float64(all))
}

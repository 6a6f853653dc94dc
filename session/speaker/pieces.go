package speaker

import (
	"context"
	"math"
)

const (
	shortestPiece = 60   // frames: fewer say little of a voice
	longestPiece  = 300  // frames: longer ones are cut where a change is likeliest, even if none is likely
	longestSearch = 2000 // frames that are searched for changes at once
	searchStep    = 10   // frames
	changePenalty = 1.0  // weight of the penalty for complexity
)

// piece is a stretch of frames that one speaker is taken to have spoken.
type piece struct{ from, to int }

// pieces cuts all speech at pauses and where the voice is likely to change.
func (v *voiced) pieces(ctx context.Context) ([]piece, error) {
	var out []piece
	for i := range v.cuts[1:] {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		from, to := v.cuts[i], v.cuts[i+1]
		n := (to-from-1)/longestSearch + 1
		for k := range n {
			out = v.cut(out, piece{from + (to-from)*k/n, from + (to-from)*(k+1)/n})
		}
	}
	return out, nil
}

// cut divides a piece at the likeliest change, and its parts likewise, for as long as two Gaussians explain it better
// than one.
func (v *voiced) cut(out []piece, p piece) []piece {
	if p.to-p.from < 2*shortestPiece {
		return append(out, p)
	}
	at, gain := v.change(p)
	if gain <= 0 && p.to-p.from <= longestPiece {
		return append(out, p)
	}
	return v.cut(v.cut(out, piece{p.from, at}), piece{at, p.to})
}

// change finds the frame at which two Gaussians gain the most over one.
func (v *voiced) change(p piece) (at int, gain float64) {
	whole := v.gather(p.from, p.to)
	cost := v.prior.cost(&whole) - changePenalty/2*freedom*math.Log(max(whole.n, 2))
	var left gaussian
	done := p.from
	gain = math.Inf(-1)
	for c := p.from + shortestPiece; c <= p.to-shortestPiece; c += searchStep {
		more := v.gather(done, c)
		left.merge(&more)
		done = c
		right := whole
		right.remove(&left)
		if g := cost - v.prior.cost(&left) - v.prior.cost(&right); g > gain {
			at, gain = c, g
		}
	}
	return at, gain
}

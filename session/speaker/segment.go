package speaker

import (
	"context"
	"math"
)

const (
	shortestSegment = 60   // frames; fewer do not characterize a voice
	longestSearch   = 2000 // frames searched for changes in one go
	searchStep      = 10   // frames
)

// cutting specifies how speech without pauses is divided.
type cutting struct {
	longest int     // frames; longer segments are divided at the likeliest change, even if none is likely
	penalty float64 // weight of the penalty for complexity
}

// coarseCuts leave segments long enough to characterize a voice, fineCuts seldom leave a change
// within one.
var coarseCuts, fineCuts = cutting{300, 1}, cutting{250, 0}

// segment is a stretch of frames assumed to be of one speaker.
type segment struct{ from, to int }

// segments divides all speech at pauses and where the voice is likely to change.
func (v *features) segments(ctx context.Context, c cutting) ([]segment, error) {
	var out []segment
	for i := range v.pauses[1:] {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		from, to := v.pauses[i], v.pauses[i+1]
		n := (to-from-1)/longestSearch + 1
		for k := range n {
			out = v.divide(out, c, segment{from + (to-from)*k/n, from + (to-from)*(k+1)/n})
		}
	}
	return out, nil
}

// divide divides a segment at the likeliest change, and its parts likewise, as long as two
// Gaussians explain it better than one.
func (v *features) divide(out []segment, c cutting, p segment) []segment {
	if p.to-p.from < 2*shortestSegment {
		return append(out, p)
	}
	at, gain := v.change(c, p)
	if gain <= 0 && p.to-p.from <= c.longest {
		return append(out, p)
	}
	return v.divide(v.divide(out, c, segment{p.from, at}), c, segment{at, p.to})
}

// change returns the frame at which two Gaussians gain the most over one, and the gain.
func (v *features) change(by cutting, p segment) (at int, gain float64) {
	whole := v.gaussian(p.from, p.to)
	cost := v.prior.cost(&whole) - by.penalty/2*freedom*math.Log(max(whole.n, 2))
	var left gaussian
	done := p.from
	gain = math.Inf(-1)
	for c := p.from + shortestSegment; c <= p.to-shortestSegment; c += searchStep {
		more := v.gaussian(done, c)
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

package speaker

import (
	"context"
	"slices"
)

// voiced are the frames of the speech of a recording, one behind the other.
type voiced struct {
	x      []float32 // dims a frame
	counts []bool    // whether a frame is loud enough to tell a voice by
	spans  []Span    // of samples, ordered
	starts []int     // the first frame of each span; and the number of frames
	cuts   []int     // the same, and the middle of each pause within a span
	prior  *prior    // of all
}

// weak is how far below the loudest frame of its span one may lie that counts, in dB: below is room more than voice.
const weak = 25

// priorFrames is what the covariance of the whole recording counts for in that of each group of frames.
const priorFrames = 20.0

// hear takes the frames out of a recording. Speech that is nil is found by the detector; where that finds none, voices of
// a strange kind are sought by their energy.
func hear(ctx context.Context, samples []int16, speech []Span) (*voiced, error) {
	odds, err := speechOdds(ctx, samples)
	if err != nil {
		return nil, err
	}
	spans := normal(speech, len(samples))
	if speech == nil {
		spans = detected(odds, len(samples))
		if len(spans) == 0 {
			spans = loudSpans(samples)
		}
	}
	v := &voiced{}
	for _, s := range spans {
		n := framesWithin(s, len(samples))
		if n == 0 {
			continue
		}
		v.starts = append(v.starts, len(v.counts))
		v.spans = append(v.spans, s)
		v.counts = append(v.counts, make([]bool, n)...)
	}
	v.starts = append(v.starts, len(v.counts))
	v.x = make([]float32, len(v.counts)*dims)
	c := newCepstra()
	for i, s := range v.spans {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		v.listen(c, samples, s, v.starts[i], v.starts[i+1])
	}
	v.cuts = v.breaks(odds)
	all := v.gather(0, len(v.counts))
	v.prior = newPrior(&all, priorFrames)
	return v, nil
}

// framesWithin counts the frames whose middle lies within a span, about.
func framesWithin(s Span, samples int) int {
	first := s.Start / step
	return max(min((s.End-window/2)/step+1, frames(samples))-first, 0)
}

// listen fills in the frames of one span.
func (v *voiced) listen(c *cepstra, samples []int16, s Span, from, to int) {
	loud := make([]float32, to-from)
	c.of(samples, s.Start/step, v.x[from*dims:to*dims], loud)
	least := slices.Max(loud) - weak
	for i, l := range loud {
		v.counts[from+i] = l >= least
	}
}

func (v *voiced) frame(i int) []float32 { return v.x[i*dims : (i+1)*dims] }

// gather takes up the frames from one up to another.
func (v *voiced) gather(from, to int) gaussian {
	var g gaussian
	for i := from; i < to; i++ {
		if v.counts[i] {
			g.add(v.frame(i))
		}
	}
	return g
}

// turns makes turns of the speaker of each frame.
func (v *voiced) turns(of []uint8) []Turn {
	var out []Turn
	var number numbering
	for i, span := range v.spans {
		from, to := v.starts[i], v.starts[i+1]
		start := span.Start
		for at := from; at < to; {
			next := at + 1
			for next < to && of[next] == of[at] {
				next++
			}
			end := span.End
			if next < to {
				end = (span.Start/step+next-from)*step + window/2
			}
			out = append(out, Turn{Start: start, End: end, Speaker: number.of(int(of[at]))})
			start, at = end, next
		}
	}
	return out
}

// numbering gives numbers from 0 in the order of first asking.
type numbering map[int]int

func (n *numbering) of(key int) int {
	if *n == nil {
		*n = numbering{}
	}
	if _, known := (*n)[key]; !known {
		(*n)[key] = len(*n)
	}
	return (*n)[key]
}

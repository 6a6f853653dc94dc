package speaker

import (
	"context"
	"slices"
)

// features are the cepstra of the speech of a recording, frame after frame.
type features struct {
	cepstra []float32 // dims a frame
	loud    []bool    // by frame, whether it is loud enough to characterize a voice
	spans   []Span    // of samples, ordered
	starts  []int     // the first frame of each span, then the number of frames
	pauses  []int     // the same, with the middle of each pause within a span
	prior   *prior    // covariance of all frames
}

// loudRange is how far below the loudest frame of its span a loud frame may be, in dB. Quieter
// frames hold more of the room than of the voice.
const loudRange = 25

// priorWeight is the weight of the covariance of the whole recording in that of each group of
// frames, in frames.
const priorWeight = 20.0

// extract computes the features of a recording. If speech is nil, it is detected; if the detector
// finds none, speech is detected by its energy, since the detector does not know every kind of
// voice.
func extract(ctx context.Context, samples []int16, speech []Span) (*features, error) {
	odds, err := speechOdds(ctx, samples)
	if err != nil {
		return nil, err
	}
	spans := mergeSpans(speech, len(samples))
	if speech == nil {
		spans = detect(odds, len(samples))
		if len(spans) == 0 {
			spans = loudSpans(samples)
		}
	}
	v := &features{}
	for _, s := range spans {
		n := framesWithin(s, len(samples))
		if n == 0 {
			continue
		}
		v.starts = append(v.starts, len(v.loud))
		v.spans = append(v.spans, s)
		v.loud = append(v.loud, make([]bool, n)...)
	}
	v.starts = append(v.starts, len(v.loud))
	v.cepstra = make([]float32, len(v.loud)*dims)
	c := newCepstra()
	for i, s := range v.spans {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		v.fill(c, samples, s, v.starts[i], v.starts[i+1])
	}
	v.pauses = v.breaks(odds)
	all := v.gaussian(0, len(v.loud))
	v.prior = newPrior(&all, priorWeight)
	return v, nil
}

// framesWithin returns about the number of frames whose middle lies within a span.
func framesWithin(s Span, samples int) int {
	first := s.Start / step
	return max(min((s.End-window/2)/step+1, frames(samples))-first, 0)
}

// fill computes the frames of one span.
func (v *features) fill(c *cepstra, samples []int16, s Span, from, to int) {
	loud := make([]float32, to-from)
	c.of(samples, s.Start/step, v.cepstra[from*dims:to*dims], loud)
	least := slices.Max(loud) - loudRange
	for i, l := range loud {
		v.loud[from+i] = l >= least
	}
}

func (v *features) frame(i int) []float32 { return v.cepstra[i*dims : (i+1)*dims] }

// gaussian returns the statistics of the loud frames from one up to another.
func (v *features) gaussian(from, to int) gaussian {
	var g gaussian
	for i := from; i < to; i++ {
		if v.loud[i] {
			g.add(v.frame(i))
		}
	}
	return g
}

// turns returns the turns for the speaker of each frame.
func (v *features) turns(of []uint8) []Turn {
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

// numbering maps keys to numbers from 0 on, in the order of first use.
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

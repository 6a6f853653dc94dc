package speaker

import (
	"context"
	"math"
	"slices"

	"steno/vad"
)

const (
	// Beyond that the detector's odds say no more.
	mostOdds = float32(6)
	// The odds of speech are looked at as means over 0.17 s, from both sides.
	aside = 8 // frames
	// What is at least plausible is speech if somewhere near it is certain, all in log-odds of the detector: laughter and
	// noise are plausible too, and rarely certain. Where nothing ever is, half a unit below the surest will do, but not
	// without any certainty at all.
	plausible    = float32(-2)
	certain      = float32(2)
	belowSurest  = float32(0.5)
	leastCertain = float32(0.5)
	// What is no further apart is one stretch.
	longestLull = 80 // frames
	fringe      = 5  // frames that are taken along at the ends: the detector is a little late

	// A pause is so long without speech, or so unlikely to have any.
	shortestPause = 25 // frames
	unlikely      = float32(-1)
	// A speaker's turn goes on over a silence of a second.
	longestSilence = rate
)

// speechOdds are the log-odds of speech in each 10 ms, by the detector of sessions. The error is the context's.
func speechOdds(ctx context.Context, samples []int16) ([]float32, error) {
	d := vad.NewDetector()
	odds := make([]float32, len(samples)/step)
	for i := range odds {
		if i%stretch == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		p := float64(d.Frame(samples[i*step : (i+1)*step]))
		odds[i] = max(-mostOdds, min(mostOdds, float32(math.Log(max(p, 1e-9)/max(1-p, 1e-9)))))
	}
	return odds, nil
}

// detected finds speech by its odds, those before and after each moment, in order.
func detected(odds []float32, samples int) []Span {
	mean := means(odds)
	bar := certain
	if len(mean) > 0 {
		bar = max(min(bar, slices.Max(mean)-belowSurest), leastCertain)
	}
	var out []Span
	for from := 0; from < len(mean); {
		to, surest := lull(mean, from)
		if surest >= bar {
			out = append(out, Span{max(from-fringe, 0) * step, min((to+fringe)*step, samples)})
		}
		from = max(to, from+1)
	}
	return normal(out, samples)
}

// lull is the frame at which plausible speech that begins at a frame is over for a while, and the most certain odds
// until then. If there is no speech at the frame, it is the frame itself.
func lull(mean []float32, from int) (to int, surest float32) {
	to, surest = from, plausible
	for i := from; i < len(mean) && i < to+longestLull; i++ {
		if mean[i] >= plausible {
			to, surest = i+1, max(surest, mean[i])
		} else if to == from {
			break
		}
	}
	return to, surest
}

// means are those of the odds at each moment and aside of it.
func means(odds []float32) []float32 {
	out := make([]float32, len(odds))
	for i := range odds {
		near := odds[max(i-aside, 0):min(i+aside+1, len(odds))]
		sum := float32(0)
		for _, o := range near {
			sum += o
		}
		out[i] = sum / float32(len(near))
	}
	return out
}

// breaks are the frames where spans begin and the middles of the pauses within them, in order; and the number of frames.
func (v *voiced) breaks(odds []float32) []int {
	var out []int
	for i, s := range v.spans {
		out = append(out, v.starts[i])
		quiet := 0
		for t := v.starts[i]; t < v.starts[i+1]; t++ {
			if at := s.Start/step + t - v.starts[i] + 1; at < len(odds) && odds[at] < unlikely {
				quiet++
				continue
			}
			if middle := t - quiet/2; quiet >= shortestPause && middle-out[len(out)-1] >= shortestPiece {
				out = append(out, middle)
			}
			quiet = 0
		}
	}
	return append(out, len(v.counts))
}

// bridged gives the silence between two turns of one speaker to him, if it is short.
func bridged(turns []Turn) []Turn {
	var out []Turn
	for _, t := range turns {
		if n := len(out); n > 0 && out[n-1].Speaker == t.Speaker && t.Start-out[n-1].End <= longestSilence {
			out[n-1].End = t.End
			continue
		}
		out = append(out, t)
	}
	return out
}

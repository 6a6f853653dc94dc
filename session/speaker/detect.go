package speaker

import (
	"context"
	"math"
	"slices"

	"steno/vad"
)

const (
	// Odds of the detector are limited to this range.
	maxOdds = float32(6)
	// Odds are averaged over 0.17 s around each frame.
	oddsContext = 8 // frames
	// A stretch with plausible odds is speech if its odds are certain somewhere, in log-odds of the
	// detector: laughter and noise are plausible too, but rarely certain. If no odds of the
	// recording are certain, half a unit below the highest is enough, but never less than
	// leastCertain.
	plausible    = float32(-2)
	certain      = float32(2)
	belowSurest  = float32(0.5)
	leastCertain = float32(0.5)
	// Plausible frames with gaps up to this are one stretch.
	maxPlausibleGap = 80 // frames
	margin          = 5  // frames added at both ends: the detector is a little late

	// A pause is at least this long, with odds below unlikely.
	shortestPause = 25 // frames
	unlikely      = float32(-1)
	// A turn continues over a silence of up to a second.
	longestSilence = rate
)

// speechOdds returns the log-odds of speech in each 10 ms, by the network of sessions. Steady noise
// is judged too: soft speech is recognized by how much it stands out. The only error is the
// context's.
func speechOdds(ctx context.Context, samples []int16) ([]float32, error) {
	d := vad.NewThoroughDetector()
	odds := make([]float32, len(samples)/step)
	for i := range odds {
		if i%stretch == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		p := float64(d.Frame(samples[i*step : (i+1)*step]))
		odds[i] = max(-maxOdds, min(maxOdds, float32(math.Log(max(p, 1e-9)/max(1-p, 1e-9)))))
	}
	return odds, nil
}

// detect finds speech by the odds before and after each frame, in order.
func detect(odds []float32, samples int) []Span {
	mean := means(odds)
	bar := certain
	if len(mean) > 0 {
		bar = max(min(bar, slices.Max(mean)-belowSurest), leastCertain)
	}
	var out []Span
	for from := 0; from < len(mean); {
		to, surest := plausibleUntil(mean, from)
		if surest >= bar {
			out = append(out, Span{max(from-margin, 0) * step, min((to+margin)*step, samples)})
		}
		from = max(to, from+1)
	}
	return mergeSpans(out, samples)
}

// plausibleUntil returns the frame at which a stretch of plausible speech that begins at from ends,
// and its highest odds. If the odds at from are not plausible, it returns from.
func plausibleUntil(mean []float32, from int) (to int, surest float32) {
	to, surest = from, plausible
	for i := from; i < len(mean) && i < to+maxPlausibleGap; i++ {
		if mean[i] >= plausible {
			to, surest = i+1, max(surest, mean[i])
		} else if to == from {
			break
		}
	}
	return to, surest
}

// means returns the mean odds around each frame.
func means(odds []float32) []float32 {
	out := make([]float32, len(odds))
	for i := range odds {
		near := odds[max(i-oddsContext, 0):min(i+oddsContext+1, len(odds))]
		sum := float32(0)
		for _, o := range near {
			sum += o
		}
		out[i] = sum / float32(len(near))
	}
	return out
}

// breaks returns the frames at which spans begin and the middles of the pauses within them, in
// order, then the number of frames.
func (v *features) breaks(odds []float32) []int {
	var out []int
	for i, s := range v.spans {
		out = append(out, v.starts[i])
		quiet := 0
		for t := v.starts[i]; t < v.starts[i+1]; t++ {
			if at := s.Start/step + t - v.starts[i] + 1; at < len(odds) && odds[at] < unlikely {
				quiet++
				continue
			}
			if middle := t - quiet/2; quiet >= shortestPause && middle-out[len(out)-1] >= shortestSegment {
				out = append(out, middle)
			}
			quiet = 0
		}
	}
	return append(out, len(v.loud))
}

// bridge joins consecutive turns of one speaker over short silences.
func bridge(turns []Turn) []Turn {
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

package speaker

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// Channels diarizes a recording of several channels. It returns the turns of each channel; the
// numbers of the speakers are common to all. speech holds where each channel has speech, or is nil:
// then speech is detected by its energy.
//
// Channels that carry the same mix, at whatever levels, are treated as one. If all do, the
// recording is diarized as by [Diarize], and speech is detected as there. Otherwise each channel is
// one speaker. If more speakers are wanted, the channels whose voices differ the most get several;
// if fewer are wanted, channels with the most similar voices become one speaker. The only error is
// the context's.
func Channels(ctx context.Context, channels [][]int16, speech [][]Span, want Count) ([][]Turn, error) {
	c := newChannels(channels, speech)
	if len(c.sources) == 1 {
		turns, err := Diarize(ctx, c.sources[0].samples, nil, want)
		return c.numbered([][]Turn{turns}), err
	}
	least, most := want.bounds()
	spoken, err := c.spoken(ctx)
	if err != nil {
		return nil, err
	}
	turns := make([][]Turn, len(c.sources))
	switch n := len(spoken); {
	case n > most:
		turns, err = c.pool(ctx, spoken, most)
	case n > 0:
		turns, err = c.divide(ctx, spoken, max(least, n))
	}
	if err != nil {
		return nil, err
	}
	return c.numbered(turns), nil
}

// source is a signal that one or several channels carry.
type source struct {
	samples  []int16
	speech   []Span
	channels []int
}

type channels struct {
	count   int
	sources []source
}

func newChannels(samples [][]int16, speech [][]Span) channels {
	c := channels{count: len(samples)}
	for i, s := range samples {
		spans := loudSpans(s)
		if speech != nil {
			spans = nil
			if i < len(speech) {
				spans = speech[i]
			}
		}
		at := slices.IndexFunc(c.sources, func(o source) bool { return same(o.samples, s) })
		if at < 0 {
			at = len(c.sources)
			c.sources = append(c.sources, source{samples: s})
		}
		c.sources[at].speech = append(c.sources[at].speech, spans...)
		c.sources[at].channels = append(c.sources[at].channels, i)
	}
	for i, s := range c.sources {
		c.sources[i].speech = mergeSpans(s.speech, len(s.samples))
		if c.sources[i].speech == nil {
			c.sources[i].speech = []Span{}
		}
	}
	return c
}

// spoken lists the sources that have speech.
func (c channels) spoken(ctx context.Context) ([]int, error) {
	var out []int
	for i, s := range c.sources {
		if len(s.speech) > 0 {
			out = append(out, i)
		}
	}
	return out, ctx.Err()
}

// divide returns turns with at least one speaker in each of the spoken sources, and the given
// number in all.
func (c channels) divide(ctx context.Context, spoken []int, speakers int) ([][]Turn, error) {
	extra := make([]int, len(c.sources))
	if speakers > len(spoken) {
		costs := make([][]float64, len(c.sources))
		for _, i := range spoken {
			var err error
			if costs[i], err = splitGains(ctx, c.sources[i]); err != nil {
				return nil, err
			}
		}
		for range speakers - len(spoken) {
			best := -1
			for i, cost := range costs {
				if len(cost) > 0 && (best < 0 || cost[0] > costs[best][0]) {
					best = i
				}
			}
			if best < 0 {
				break
			}
			extra[best]++
			costs[best] = costs[best][1:]
		}
	}
	out := make([][]Turn, len(c.sources))
	offset := 0
	for _, i := range spoken {
		turns, err := c.sources[i].turns(ctx, 1+extra[i])
		if err != nil {
			return nil, err
		}
		for k := range turns {
			turns[k].Speaker += offset
		}
		out[i] = turns
		offset += 1 + extra[i]
	}
	return out, nil
}

// turns returns the turns of a number of speakers.
func (s source) turns(ctx context.Context, speakers int) ([]Turn, error) {
	if speakers > 1 {
		return Diarize(ctx, s.samples, s.speech, Count{Exactly: speakers})
	}
	out := make([]Turn, len(s.speech))
	for i, p := range s.speech {
		out[i] = Turn{Start: p.Start, End: p.End}
	}
	return out, ctx.Err()
}

// splitGains returns the gain by a second speaker in a source, by a third one, and so on.
func splitGains(ctx context.Context, s source) ([]float64, error) {
	v, err := extract(ctx, s.samples, s.speech)
	if err != nil || len(v.loud) == 0 {
		return nil, err
	}
	f, err := v.cluster(ctx, coarseCuts)
	if err != nil {
		return nil, err
	}
	var out []float64
	for k := len(f.tree) - 1; k >= 0; k-- {
		out = append(out, f.tree[k].cost)
	}
	return out, nil
}

// pool joins the sources with the most similar voices until at most most speakers remain.
func (c channels) pool(ctx context.Context, spoken []int, most int) ([][]Turn, error) {
	groups := make([]gaussian, len(spoken))
	var all gaussian
	for k, i := range spoken {
		v, err := extract(ctx, c.sources[i].samples, c.sources[i].speech)
		if err != nil {
			return nil, err
		}
		groups[k] = v.gaussian(0, len(v.loud))
		all.merge(&groups[k])
	}
	label := labels(len(spoken), agglomerate(groups, newPrior(&all, priorWeight), mergePenalty, most))
	out := make([][]Turn, len(c.sources))
	for k, i := range spoken {
		turns, err := c.sources[i].turns(ctx, 1)
		if err != nil {
			return nil, err
		}
		for t := range turns {
			turns[t].Speaker = label[k]
		}
		out[i] = turns
	}
	return out, nil
}

// numbered returns the turns of each channel, those of its source, with speakers numbered by first
// appearance in any channel.
func (c channels) numbered(turns [][]Turn) [][]Turn {
	var all []Turn
	for _, t := range turns {
		all = append(all, t...)
	}
	slices.SortStableFunc(all, func(a, b Turn) int { return cmp.Compare(a.Start, b.Start) })
	var number numbering
	for _, t := range all {
		number.of(t.Speaker)
	}
	out := make([][]Turn, c.count)
	for i, s := range c.sources {
		for _, channel := range s.channels {
			for _, t := range turns[i] {
				t.Speaker = number.of(t.Speaker)
				out[channel] = append(out[channel], t)
			}
		}
	}
	return out
}

const (
	blockSamples = rate / 10
	activeRange  = 30.0 // dB below the loudest block; quieter blocks are not compared
	leastLevel   = 20.0 // dB re one quantization step, likewise
	levelRange   = 6.0  // dB from the median difference of levels, where both carry the same mix
	steadyShare  = 0.9  // of the blocks that must be within levelRange
)

// same reports whether two channels carry the same mix: then the difference of their levels is
// constant, while that of two microphones depends on who speaks.
func same(a, b []int16) bool {
	la, lb := levels(a, len(b)), levels(b, len(a))
	if len(la) == 0 {
		return true
	}
	bar := max(slices.Max(la), slices.Max(lb))
	var differences []float64
	for i := range la {
		if max(la[i], lb[i]) >= max(bar-activeRange, leastLevel) {
			differences = append(differences, la[i]-lb[i])
		}
	}
	if len(differences) == 0 {
		return true
	}
	slices.Sort(differences)
	median := differences[len(differences)/2]
	steady := 0
	for _, d := range differences {
		if math.Abs(d-median) <= levelRange {
			steady++
		}
	}
	return float64(steady) >= steadyShare*float64(len(differences)) && !oneSilent(la, lb)
}

// oneSilent reports whether exactly one of two channels has no sound at all.
func oneSilent(a, b []float64) bool {
	return (slices.Max(a) < leastLevel) != (slices.Max(b) < leastLevel)
}

// levels returns the levels of blocks in dB. x is taken as followed by silence up to most samples.
func levels(x []int16, most int) []float64 {
	n := (max(len(x), most) + blockSamples - 1) / blockSamples
	out := make([]float64, n)
	for i := range out {
		sum := 0.0
		for _, s := range x[min(i*blockSamples, len(x)):min((i+1)*blockSamples, len(x))] {
			sum += float64(s) * float64(s)
		}
		out[i] = 10 * math.Log10(sum/blockSamples+1)
	}
	return out
}

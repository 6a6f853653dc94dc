package speaker

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// Channels tells who speaks when in a recording of several channels, whose turns it returns channel by channel with
// one count of speakers for all. speech holds where each of channels that differ has any, or is nil: then it is found by
// its energy.
//
// Channels that carry the same mix, at whatever levels, are heard as one. Where all do, their speakers are told apart
// as by [Diarize], and speech is found as there. Else each channel is a speaker of its own. If more speakers are wanted, those channels whose voices
// differ the most have several; if fewer are, those whose voices are most alike become one. The error is the context's.
func Channels(ctx context.Context, channels [][]int16, speech [][]Span, want Wanted) ([][]Turn, error) {
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
		c.sources[i].speech = normal(s.speech, len(s.samples))
		if c.sources[i].speech == nil {
			c.sources[i].speech = []Span{}
		}
	}
	return c
}

// spoken lists the sources in which someone speaks.
func (c channels) spoken(ctx context.Context) ([]int, error) {
	var out []int
	for i, s := range c.sources {
		if len(s.speech) > 0 {
			out = append(out, i)
		}
	}
	return out, ctx.Err()
}

// divide has at least one speaker in each of the sources, and so many in all.
func (c channels) divide(ctx context.Context, spoken []int, speakers int) ([][]Turn, error) {
	extra := make([]int, len(c.sources))
	if speakers > len(spoken) {
		costs := make([][]float64, len(c.sources))
		for _, i := range spoken {
			var err error
			if costs[i], err = parting(ctx, c.sources[i]); err != nil {
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

// turns are those of so many speakers.
func (s source) turns(ctx context.Context, speakers int) ([]Turn, error) {
	if speakers > 1 {
		return Diarize(ctx, s.samples, s.speech, Wanted{Exactly: speakers})
	}
	out := make([]Turn, len(s.speech))
	for i, p := range s.speech {
		out[i] = Turn{Start: p.Start, End: p.End}
	}
	return out, ctx.Err()
}

// parting tells what is gained by having a second speaker in a source, a third one, and so on.
func parting(ctx context.Context, s source) ([]float64, error) {
	v, err := hear(ctx, s.samples, s.speech)
	if err != nil || len(v.counts) == 0 {
		return nil, err
	}
	f, err := v.grow(ctx)
	if err != nil {
		return nil, err
	}
	var out []float64
	for k := len(f.tree) - 1; k >= 0; k-- {
		out = append(out, f.tree[k].cost)
	}
	return out, nil
}

// pool makes one speaker of sources with voices alike, until there are so many speakers.
func (c channels) pool(ctx context.Context, spoken []int, most int) ([][]Turn, error) {
	groups := make([]gaussian, len(spoken))
	var all gaussian
	for k, i := range spoken {
		v, err := hear(ctx, c.sources[i].samples, c.sources[i].speech)
		if err != nil {
			return nil, err
		}
		groups[k] = v.gather(0, len(v.counts))
		all.merge(&groups[k])
	}
	label := labels(len(spoken), agglomerate(groups, newPrior(&all, priorFrames), mergePenalty, most))
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

// numbered gives each channel the turns of its source, with speakers numbered by first appearance in any channel.
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
	activeRange  = 30.0 // dB under the loudest that a block is looked at
	leastLevel   = 20.0 // dB against one step of the samples, likewise
	levelRange   = 6.0  // dB around the median that the difference of levels keeps where both carry the same
	steadyShare  = 0.9  // of the blocks
)

// same says whether two channels carry the same mix: the difference of their levels is then the same at all times,
// while that of two microphones depends on who speaks.
func same(a, b []int16) bool {
	la, lb := levels(a, len(b)), levels(b, len(a))
	if len(la) == 0 {
		return true
	}
	bar := max(slices.Max(la), slices.Max(lb))
	var apart []float64
	for i := range la {
		if max(la[i], lb[i]) >= max(bar-activeRange, leastLevel) {
			apart = append(apart, la[i]-lb[i])
		}
	}
	if len(apart) == 0 {
		return true
	}
	slices.Sort(apart)
	median := apart[len(apart)/2]
	steady := 0
	for _, d := range apart {
		if math.Abs(d-median) <= levelRange {
			steady++
		}
	}
	return float64(steady) >= steadyShare*float64(len(apart)) && !oneSilent(la, lb)
}

// oneSilent says that one channel has no sound at all while the other has.
func oneSilent(a, b []float64) bool {
	return (slices.Max(a) < leastLevel) != (slices.Max(b) < leastLevel)
}

// levels are those of blocks, in dB; x counts as followed by silence, as long as most samples.
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

package speaker

import (
	"context"
	"slices"
)

const (
	// Two speakers have to differ by so much to be two, see difference, and by more the fewer frames one has: what is
	// added is divided by them. Clustering finds what is odd, and a little of one voice can be very odd. With more,
	// speakers of recorded meetings become one; with less, more of the readers stay divided who read alone.
	twoVoices, smallVoice = 7.0, 2100.0
	// How much each thing counts that tells two voices apart, against the gain by a Gaussian each.
	meansCount  = 0.5
	pitchCounts = 4.0
	modelsCount = 0.25
	mostModels  = 16.0 // by which models differ: more says that they are of little speech
)

// talker is what is known of a speaker as a whole.
type talker struct {
	spoken   float64 // frames
	clear    []int32 // the frames that count
	gaussian gaussian
	melody   melody
	model    *mixture
	learnt   [][]float32 // by the model
}

// verify makes one of speakers whose voices, as a whole, do not differ enough, until that is so of no two or there are
// least. of is changed.
func (v *voiced) verify(ctx context.Context, samples []int16, of []uint8, least int) ([]uint8, error) {
	k := compact(of)
	if k <= least {
		return of, nil
	}
	talkers, err := v.talkers(ctx, samples, of, k)
	for err == nil && len(talkers) > least {
		var i, j int
		if i, j, err = v.mostAlike(ctx, talkers); i < 0 {
			break
		}
		talkers[i].merge(&talkers[j])
		v.learn(&talkers[i])
		talkers = slices.Delete(talkers, j, j+1)
		for t, s := range of {
			if int(s) == j {
				of[t] = uint8(i)
			} else if int(s) > j {
				of[t]--
			}
		}
	}
	return of, err
}

// talkers hears each of k speakers.
func (v *voiced) talkers(ctx context.Context, samples []int16, of []uint8, k int) ([]talker, error) {
	out := make([]talker, k)
	every := max(pitchEvery, len(v.counts)/pitchFrames)
	for i, s := range v.spans {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for t := v.starts[i]; t < v.starts[i+1]; t++ {
			o := &out[of[t]]
			o.spoken++
			if !v.counts[t] {
				continue
			}
			o.clear = append(o.clear, int32(t))
			o.gaussian.add(v.frame(t))
			if t%every == 0 {
				o.melody.hears(samples, s.Start/step*step+(t-v.starts[i])*step+window/2)
			}
		}
	}
	for i := range out {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		v.learn(&out[i])
	}
	return out, nil
}

// merge leaves the model as it was.
func (o *talker) merge(p *talker) {
	o.spoken += p.spoken
	o.clear = slices.Concat(o.clear, p.clear)
	o.gaussian.merge(&p.gaussian)
	o.melody.merge(&p.melody)
}

func (v *voiced) learn(o *talker) { o.model, o.learnt = v.model(o.clear) }

// mostAlike finds the two, the first one before, that lack the most of being two; -1 if none do.
func (v *voiced) mostAlike(ctx context.Context, talkers []talker) (i, j int, err error) {
	i, j = -1, -1
	within := scatterWithin(talkers)
	most := 0.0
	for b := range talkers {
		if err := ctx.Err(); err != nil {
			return -1, -1, err
		}
		for a := range b {
			needed := twoVoices + smallVoice/max(min(talkers[a].spoken, talkers[b].spoken), 1)
			if lack := needed - v.difference(&within, &talkers[a], &talkers[b], needed); lack > most {
				i, j, most = a, b, lack
			}
		}
	}
	return i, j, nil
}

// difference tells how different two voices are: by what is gained by a Gaussian for each, by the distance of their
// means, by their pitch, and, if that is not enough already, by how much better the model of each is for its own speech.
func (v *voiced) difference(within *[crossed]float64, a, b *talker, enough float64) float64 {
	both := a.gaussian
	both.merge(&b.gaussian)
	gain := v.prior.cost(&both) - v.prior.cost(&a.gaussian) - v.prior.cost(&b.gaussian)
	pitch := a.melody.differs(&b.melody)
	sum := apart(gain, a.gaussian.n, b.gaussian.n) + meansCount*meansApart(within, &a.gaussian, &b.gaussian) +
		pitchCounts*pitch*pitch
	if sum >= enough {
		return sum
	}
	own := a.model.mean(a.learnt) + b.model.mean(b.learnt)
	return sum + modelsCount*min(own-b.model.mean(a.learnt)-a.model.mean(b.learnt), mostModels)
}

// mean is that of the score of frames.
func (m *mixture) mean(frames [][]float32) float64 {
	sum := 0.0
	for _, x := range frames {
		sum += m.score(x)
	}
	return sum / float64(max(len(frames), 1))
}

// scatterWithin is the Cholesky factor of the covariance of frames about the means of their speakers.
func scatterWithin(talkers []talker) [crossed]float64 {
	var sum, one [crossed]float64
	n := 0.0
	for i := range talkers {
		g := &talkers[i].gaussian
		g.scatter(&one)
		n += g.n
		for j, s := range one {
			sum[j] += s
		}
	}
	for j := range sum {
		sum[j] /= max(n, 1)
	}
	for i := range dims {
		sum[diagonal(i)] += leastVariance
	}
	logDeterminant(&sum)
	return sum
}

// meansApart is the square of the distance of two means where all directions scatter by 1 within speakers.
func meansApart(within *[crossed]float64, a, b *gaussian) float64 {
	sum, row := 0.0, 0
	var y [dims]float64
	for i := range dims {
		d := a.sum[i]/max(a.n, 1) - b.sum[i]/max(b.n, 1)
		for j := range i {
			d -= within[row+j] * y[j]
		}
		y[i] = d / within[row+i]
		sum += y[i] * y[i]
		row += i + 1
	}
	return sum
}

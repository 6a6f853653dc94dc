package speaker

import (
	"context"
	"slices"
)

const (
	// Two speakers differ by at least voiceThreshold, see difference, plus smallVoiceThreshold
	// divided by the frames of the smaller one: clustering finds outliers, and a little speech of
	// one voice can be a strong outlier. With higher values, speakers of recorded meetings become
	// one; with lower values, more single readers stay divided.
	voiceThreshold, smallVoiceThreshold = 7.0, 2100.0
	// Weights of the parts of the difference, relative to the gain by a Gaussian each.
	meansWeight  = 0.5
	pitchWeight  = 4.0
	modelsWeight = 0.25
	maxModelGain = 16.0  // of the models; more only means that there was little speech
	never        = 100.0 // is added to what speakers need who have too little speech
)

// demand is what speakers must have beyond [voiceThreshold]: a greater difference, and a share of
// the speech, as a share of that of equal speakers. Zero demands nothing more.
type demand struct{ difference, share float64 }

// profile describes the voice of a speaker.
type profile struct {
	spoken   float64 // frames
	loud     []int32 // frames
	gaussian gaussian
	pitch    pitchHistogram
	model    *mixture
	learned  [][]float32 // frames that the model was fitted to
}

// verify joins speakers whose voices, as a whole, do not differ enough, until all differ or least
// are left. It modifies of, the speaker of each frame.
func (v *features) verify(ctx context.Context, samples []int16, of []uint8, least int, d demand) ([]uint8, error) {
	k := compact(of)
	if k <= least {
		return of, nil
	}
	talkers, err := v.profiles(ctx, samples, of, k)
	for err == nil && len(talkers) > least {
		var i, j int
		if i, j, err = v.mostAlike(ctx, talkers, d); i < 0 {
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

// profiles returns the profiles of k speakers.
func (v *features) profiles(ctx context.Context, samples []int16, of []uint8, k int) ([]profile, error) {
	out := make([]profile, k)
	every := max(pitchEvery, len(v.loud)/pitchFrames)
	for i, s := range v.spans {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for t := v.starts[i]; t < v.starts[i+1]; t++ {
			o := &out[of[t]]
			o.spoken++
			if !v.loud[t] {
				continue
			}
			o.loud = append(o.loud, int32(t))
			o.gaussian.add(v.frame(t))
			if t%every == 0 {
				o.pitch.addAt(samples, s.Start/step*step+(t-v.starts[i])*step+window/2)
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

// merge adds another profile. It does not fit the model again.
func (o *profile) merge(p *profile) {
	o.spoken += p.spoken
	o.loud = slices.Concat(o.loud, p.loud)
	o.gaussian.merge(&p.gaussian)
	o.pitch.merge(&p.pitch)
}

func (v *features) learn(o *profile) { o.model, o.learned = v.model(o.loud) }

// mostAlike returns the two profiles, i < j, whose difference is the furthest below its threshold;
// -1 if none is below.
func (v *features) mostAlike(ctx context.Context, talkers []profile, d demand) (i, j int, err error) {
	i, j = -1, -1
	within := scatterWithin(talkers)
	most := 0.0
	share := d.share * float64(len(v.loud)) / float64(len(talkers))
	for b := range talkers {
		if err := ctx.Err(); err != nil {
			return -1, -1, err
		}
		for a := range b {
			smaller := min(talkers[a].spoken, talkers[b].spoken)
			needed := voiceThreshold + d.difference + smallVoiceThreshold/max(smaller, 1)
			if smaller < share {
				needed += never
			}
			if lack := needed - v.difference(&within, &talkers[a], &talkers[b], needed); lack > most {
				i, j, most = a, b, lack
			}
		}
	}
	return i, j, nil
}

// difference returns how different two voices are: by the gain of a Gaussian each, the distance of
// their means, their pitch, and, unless that is enough already, by how much better the model of
// each fits its own speech.
func (v *features) difference(within *[crossed]float64, a, b *profile, enough float64) float64 {
	both := a.gaussian
	both.merge(&b.gaussian)
	gain := v.prior.cost(&both) - v.prior.cost(&a.gaussian) - v.prior.cost(&b.gaussian)
	pitch := a.pitch.difference(&b.pitch)
	sum := distance(gain, a.gaussian.n, b.gaussian.n) + meansWeight*meanDistance(within, &a.gaussian, &b.gaussian) +
		pitchWeight*pitch*pitch
	if sum >= enough {
		return sum
	}
	own := a.model.meanScore(a.learned) + b.model.meanScore(b.learned)
	return sum + modelsWeight*min(own-b.model.meanScore(a.learned)-a.model.meanScore(b.learned), maxModelGain)
}

// meanScore returns the mean score of frames.
func (m *mixture) meanScore(frames [][]float32) float64 {
	sum := 0.0
	for _, x := range frames {
		sum += m.score(x)
	}
	return sum / float64(max(len(frames), 1))
}

// scatterWithin returns the Cholesky factor of the covariance of frames around the means of their
// speakers.
func scatterWithin(talkers []profile) [crossed]float64 {
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

// meanDistance returns the squared distance of two means, normalized so that all directions have
// variance 1 within speakers.
func meanDistance(within *[crossed]float64, a, b *gaussian) float64 {
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

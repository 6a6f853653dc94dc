package speaker

import "context"

const (
	// Speech runs on if at least runningShare of it is in stretches without a pause of more than
	// longStretch frames. Then people may take turns within segments, and clusters of segments are
	// of several voices.
	longStretch  = 600
	runningShare = 0.1
	// With less speech than leastAgain frames no voice is sure; with more than mostAgain, looking
	// again would take long.
	leastAgain, mostAgain = 3000, 30000
	// moreSpeakers is how many more clusters than there are speakers are tried: some are outliers.
	moreSpeakers = 3
)

// sureVoices is what speakers must have that are found again: decoding many rounds makes clusters
// of one voice differ more, and they are mostly of unequal size.
var sureVoices = demand{difference: 2, share: 0.6}

// runsOn reports whether there is enough speech, and much of it has no pauses.
func (v *features) runsOn() bool {
	long := 0
	for i := range v.pauses[1:] {
		if n := v.pauses[i+1] - v.pauses[i]; n > longStretch {
			long += n
		}
	}
	all := len(v.loud)
	return all >= leastAgain && all <= mostAgain && float64(long) >= runningShare*float64(all)
}

// division is an attribution of frames to speakers.
type division struct {
	of   []uint8
	k    int
	gain float64 // log-likelihood that is gained by a Gaussian for each speaker
}

// lookAgain looks for more speakers than were found, and for the same number with a better
// division: from more clusters, of coarse and of fine segments, decoded for many rounds. It returns
// the division with the most speakers that are sure, of several the likeliest.
func (v *features) lookAgain(ctx context.Context, samples []int16, coarse *clustering, of []uint8, least,
	most int) ([]uint8, error) {
	fine, err := v.cluster(ctx, fineCuts)
	if err != nil {
		return nil, err
	}
	k := compact(of)
	best := division{of, k, v.gain(of, k)}
	for _, f := range []*clustering{coarse, fine} {
		for n := k; n <= min(k+moreSpeakers, MaxSpeakers); n++ {
			d, err := v.try(ctx, samples, f, n, least)
			if err != nil {
				return nil, err
			}
			if d.k <= most && (d.k > best.k || d.k == best.k && d.gain > best.gain) {
				best = d
			}
		}
	}
	return best.of, nil
}

// try returns the division that a number of clusters leads to.
func (v *features) try(ctx context.Context, samples []int16, f *clustering, clusters, least int) (division, error) {
	of, k := f.speakers(len(v.loud), withinSpeakers(f.tree, clusters, clusters, f.speakerFrames()))
	of, err := v.resegment(ctx, of, k, 2, manyRounds)
	if err != nil {
		return division{}, err
	}
	if of, err = v.verify(ctx, samples, of, least, sureVoices); err != nil {
		return division{}, err
	}
	k = compact(of)
	return division{of, k, v.gain(of, k)}, nil
}

// gain returns the log-likelihood of the frames with a Gaussian for each of k speakers, less that
// with one for all.
func (v *features) gain(of []uint8, k int) float64 {
	groups := make([]gaussian, k)
	for t, s := range of {
		if v.loud[t] {
			groups[s].add(v.frame(t))
		}
	}
	var all gaussian
	sum := 0.0
	for i := range groups {
		all.merge(&groups[i])
		sum -= v.prior.cost(&groups[i])
	}
	return sum + v.prior.cost(&all)
}

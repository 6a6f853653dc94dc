package sphinx

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// cepstra are made-up frames around meanPrior, moved by as many standard deviations, with some
// frames without energy.
func cepstra(n int, moved float32) []cepstrum {
	random := rand.New(rand.NewPCG(1, uint64(n)))
	out := make([]cepstrum, n)
	for i := range out {
		for k := range out[i] {
			out[i][k] = meanPrior[k] + meanSpread[k]*(moved+float32(random.NormFloat64())/4)
		}
		if i%17 == 0 {
			out[i][0] = -1
		}
	}
	return out
}

// normalised is what a decoder gets of frames that come so many at a time, and how often it has to
// begin again.
func normalised(frames []cepstrum, atOnce int) (means []cepstrum, restarts int) {
	m := newRunningMean()
	decode := func() {
		for {
			if m.drifted() {
				means = means[:0]
				restarts++
			}
			end, mean, ok := m.ready(len(means))
			if !ok {
				return
			}
			for len(means) < end {
				means = append(means, mean)
			}
		}
	}
	for chunk := range slices.Chunk(frames, atOnce) {
		for _, f := range chunk {
			m.add(f)
		}
		decode()
	}
	m.end()
	decode()
	return means, restarts
}

func TestMeansDependOnFramesAlone(t *testing.T) {
	for name, frames := range map[string][]cepstrum{
		"none": nil, "one": cepstra(1, 0), "short": cepstra(199, 3), "hold": cepstra(hold, 3),
		"longer": cepstra(hold+1, 0),
		"long":   cepstra(1234, .05), "check": cepstra(hold+checkEvery, .1), "other": cepstra(700, .5),
		"turns": slices.Concat(cepstra(300, 0), cepstra(300, 2), cepstra(200, -2)),
		"last":  slices.Concat(cepstra(590, .1), cepstra(9, 30)),
	} {
		want, least := normalised(frames, len(frames)+1)
		if len(want) != len(frames) {
			t.Errorf("%s: %d of %d frames are normalised", name, len(want), len(frames))
		}
		for _, atOnce := range []int{1, 2, 7, 10, 25, 100, 201} {
			got, restarts := normalised(frames, atOnce)
			if !slices.Equal(got, want) {
				t.Errorf("%s: other means with %d frames at a time", name, atOnce)
			}
			if restarts < least {
				t.Errorf("%s: begun again %d times, %d at once", name, restarts, least)
			}
		}
	}
}

// Frames far from the prior make the utterance begin again, with their own mean.
func TestFarFromThePriorItBeginsAgain(t *testing.T) {
	if _, restarts := normalised(cepstra(600, 0), 1); restarts > 0 {
		t.Errorf("begun again %d times near the prior", restarts)
	}
	far := cepstra(600, 3)
	means, restarts := normalised(far, 1)
	if restarts != 1 {
		t.Errorf("begun again %d times far from the prior", restarts)
	}
	m := newRunningMean()
	for _, f := range far[:hold+checkEvery] {
		m.add(f)
	}
	if want := m.mean(hold+checkEvery, false); means[0] != want {
		t.Errorf("mean %v, want %v", means[0], want)
	}
}

// An utterance is not begun again late: what that takes could not be made up for.
func TestLateDriftIsTolerated(t *testing.T) {
	late := slices.Concat(cepstra(lastCheck, 0), cepstra(400, 4))
	for _, atOnce := range []int{1, 100, len(late)} {
		if _, restarts := normalised(late, atOnce); restarts > 0 {
			t.Errorf("begun again %d times, %d frames at once", restarts, atOnce)
		}
	}
}

// The mean of an utterance up to the hold is that of all its frames with energy.
func TestShortUtterancesHaveTheirOwnMean(t *testing.T) {
	frames := cepstra(hold, 2)
	means, _ := normalised(frames, 10)
	var want cepstrum
	n := float32(0)
	for _, f := range frames {
		if f[0] < 0 {
			continue
		}
		for i, v := range f {
			want[i] += v
		}
		n++
	}
	for i := range want {
		want[i] /= n
	}
	if means[0] != want || means[hold-1] != want {
		t.Errorf("means %v and %v, want %v", means[0], means[hold-1], want)
	}
}

package sphinx

import "math"

// coefficients is the number of cepstral coefficients of a frame.
const coefficients = 13

// cepstrum is one frame of the feature extractor's output, or a mean of such frames.
type cepstrum [coefficients]float32

// All in frames of 10 ms, but for maxDrift.
const (
	block      = 10  // normalised with the same mean
	hold       = 200 // before the first block may be decoded: all of an utterance's first blocks have their mean
	checkEvery = 25  // after hold, the distance of the places where drift is looked at
	// the last of these: what is lost by beginning again has to be made up for before the utterance
	// ends
	lastCheck   = 300
	meanFrames  = 50  // weight of meanPrior against an utterance's own frames
	maxDrift    = 0.8 // standard deviations, root mean square over the blocks, summed over the coefficients
	paddedTails = 3   // copies of the last frame that the search needs to see all frames
)

// meanPrior is the mean over read English recordings, and meanSpread the standard deviations of
// frames within one.
var (
	meanPrior = cepstrum{50.8972, 0.0174, 0.4387, 8.6360, -4.0829, 2.2927, -6.1451, -4.3550, -4.2729, -1.1380, 0.6296,
		-2.1800, 0.1513}
	meanSpread = cepstrum{14.8, 16.8, 14.2, 16.9, 17.0, 13.3, 15.0, 14.1, 14.0, 13.9, 12.8, 12.5, 11.5}
)

// runningMean computes the cepstral mean for the frames of a growing utterance. It is a function of
// frame numbers alone, however the frames arrive: block b is normalised with the mean of the first
// max(hold, 10b+10) frames and of meanFrames frames of a prior. Where that turns out early to be
// far from the mean of the frames so far, the utterance is begun again with the mean known by then.
// An utterance of no more than hold frames is normalised with its own mean, as the library does it.
type runningMean struct {
	frames []cepstrum
	// of the frames before each, those without energy left out; float32 in frame order as in the
	// library
	sums   []cepstrum
	counts []int32
	ended  bool // no frames follow

	from    int  // the mean of a block is taken of this many frames at least
	prior   bool // and has a prior
	checked int  // the next place to look at drift
}

func newRunningMean() *runningMean {
	return &runningMean{sums: []cepstrum{{}}, counts: []int32{0}, from: hold, prior: true, checked: hold + checkEvery}
}

// add appends a frame.
func (m *runningMean) add(c cepstrum) {
	sum, count := m.sums[len(m.frames)], m.counts[len(m.frames)]
	if c[0] >= 0 {
		for i, v := range c {
			sum[i] += v
		}
		count++
	}
	m.frames = append(m.frames, c)
	m.sums, m.counts = append(m.sums, sum), append(m.counts, count)
}

// end reports that no frames follow.
func (m *runningMean) end() { m.ended = true }

// drifted reports whether the utterance has to be decoded from its beginning again, with other
// means.
func (m *runningMean) drifted() bool {
	n := len(m.frames)
	if m.ended && n <= hold {
		m.from, m.prior = n, false
		return false
	}
	again := false
	for ; m.checked < n && m.checked <= lastCheck; m.checked += checkEvery {
		again = m.restart(m.checked) || again
	}
	return again
}

// restart makes the mean of the first n frames that of the blocks before, if the means so far were
// too far from it.
func (m *runningMean) restart(n int) bool {
	if m.drift(n) <= maxDrift {
		return false
	}
	m.from, m.prior = n, false
	return true
}

// drift returns the distance between the means of the blocks before frame n and the plain mean of
// the frames before it.
func (m *runningMean) drift(n int) float64 {
	plain := m.mean(n, false)
	var sum float64
	blocks := 0
	for first := 0; first < n; first += block {
		used := m.mean(min(max(first+block, m.from), n), m.prior)
		for i := range used {
			d := float64((used[i] - plain[i]) / meanSpread[i])
			sum += d * d
		}
		blocks++
	}
	return math.Sqrt(sum / float64(max(blocks, 1)))
}

// ready returns the end of the block that begins at a frame, and the block's mean, if both are
// known.
func (m *runningMean) ready(first int) (end int, mean cepstrum, ok bool) {
	n := len(m.frames)
	need := max(m.from, first+block)
	if first >= n || !m.ended && (n < need || n <= hold) {
		return 0, cepstrum{}, false
	}
	return min(first+block, n), m.mean(min(need, n), m.prior), true
}

// mean returns the mean of the first n frames.
func (m *runningMean) mean(n int, prior bool) cepstrum {
	sum, weight := m.sums[n], float64(m.counts[n])
	var own float64
	if prior {
		own = meanFrames
	}
	var out cepstrum
	if weight+own == 0 {
		return out
	}
	for i := range out {
		if own == 0 {
			out[i] = sum[i] / float32(m.counts[n]) // the library's arithmetic
			continue
		}
		out[i] = float32((float64(sum[i]) + own*float64(meanPrior[i])) / (weight + own))
	}
	return out
}

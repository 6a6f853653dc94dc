package speaker

import "math"

const (
	decimation = 4                 // samples averaged to one: pitch is low
	pitchRate  = rate / decimation // of them a second
	pitchFrame = pitchRate / 25    // length of what is compared with the period before
	shortLag   = pitchRate / 400   // period of 400 Hz
	longLag    = pitchRate/70 + 1  // period of 70 Hz
	// Every other frame is analyzed, but of a long recording no more than about pitchFrames.
	pitchEvery, pitchFrames = 2, 20000
	// A frame is voiced if its correlation with a period before is at least periodic. A longer
	// period must correlate better by the factor octaveUp.
	periodic = 0.6
	octaveUp = 1.05
	// Bins are quarter tones.
	perOctave = 24
	pitchBins = 72
)

// pitchHistogram counts how often a voice has each pitch.
type pitchHistogram struct {
	bins [pitchBins]float64
	n    float64
}

// add counts a period, in samples of pitchRate.
func (m *pitchHistogram) add(period float64) {
	m.n++
	m.bins[min(max(int(perOctave*math.Log2((longLag+1)/period)), 0), pitchBins-1)]++
}

func (m *pitchHistogram) merge(o *pitchHistogram) {
	m.n += o.n
	for i, c := range o.bins {
		m.bins[i] += c
	}
}

// difference returns from 0, if each voice is the higher one as often as the other, to 1, if one
// always is. It returns 0 if one of them has no pitch.
func (m *pitchHistogram) difference(o *pitchHistogram) float64 {
	if m.n == 0 || o.n == 0 {
		return 0
	}
	sum, passed := 0.0, 0.0
	for i, c := range m.bins {
		sum += c * (passed - (o.n - passed - o.bins[i]))
		passed += o.bins[i]
	}
	return math.Abs(sum) / (m.n * o.n)
}

// addAt counts the pitch of a recording around a sample, if there is any.
func (m *pitchHistogram) addAt(samples []int16, middle int) {
	var x [longLag + 1 + pitchFrame]float64
	from := middle - (longLag+1+pitchFrame/2)*decimation
	for i := range x {
		at := from + i*decimation
		for _, s := range samples[min(max(at-decimation, 0), len(samples)):min(max(at+2*decimation, 0), len(samples))] {
			x[i] += float64(s)
		}
	}
	if p, ok := period(&x); ok {
		m.add(p)
	}
}

// period returns the lag, in samples of pitchRate, at which the last samples correlate best with
// those before.
func period(x *[longLag + 1 + pitchFrame]float64) (lag float64, ok bool) {
	var like [longLag + 2]float64
	now := x[longLag+1:]
	own := 0.0
	for _, v := range now {
		own += v * v
	}
	power := own
	for l := 1; l < len(like); l++ {
		before := x[longLag+1-l : len(x)-l]
		power += before[0]*before[0] - x[len(x)-l]*x[len(x)-l]
		if l < shortLag-1 {
			continue
		}
		sum := 0.0
		for i, v := range now {
			sum += v * before[i]
		}
		like[l] = sum / math.Sqrt(own*max(power, 0)+1)
	}
	best, at := periodic, 0
	for l := shortLag; l <= longLag; l++ {
		if like[l] > best && like[l] >= like[l-1] && like[l] >= like[l+1] {
			best, at = like[l]*octaveUp, l
		}
	}
	if at == 0 {
		return 0, false
	}
	bend := like[at-1] - 2*like[at] + like[at+1]
	return float64(at) + (like[at-1]-like[at+1])/2/min(bend, -1e-9), true
}

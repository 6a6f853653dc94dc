package speaker

import "math"

const (
	thinned    = 4                // samples to one: pitch is low
	pitchRate  = rate / thinned   // of those, per second
	pitchFrame = pitchRate / 25   // that are compared with those a period before
	shortLag   = pitchRate / 400  // periods, of 400 Hz to 70 Hz
	longLag    = pitchRate/70 + 1 // likewise
	// Every other frame is heard, but of a long recording no more than so many, about.
	pitchEvery, pitchFrames = 2, 20000
	// From so much correlation with a period before a frame is voiced; one of longer periods has to be so much better.
	periodic = 0.6
	octaveUp = 1.05
	// Pitch is counted in quarter-tones.
	perOctave = 24
	pitchBins = 72
)

// melody counts how often a voice has which pitch.
type melody struct {
	bins [pitchBins]float64
	n    float64
}

// add takes a period, in samples of pitchRate.
func (m *melody) add(period float64) {
	m.n++
	m.bins[min(max(int(perOctave*math.Log2((longLag+1)/period)), 0), pitchBins-1)]++
}

func (m *melody) merge(o *melody) {
	m.n += o.n
	for i, c := range o.bins {
		m.bins[i] += c
	}
}

// differs is 0 if one voice is as often the higher one as the other is, and 1 if it always is; 0 if one has no pitch.
func (m *melody) differs(o *melody) float64 {
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

// hears takes the pitch of a recording at a sample, if there is any.
func (m *melody) hears(samples []int16, middle int) {
	var x [longLag + 1 + pitchFrame]float64
	from := middle - (longLag+1+pitchFrame/2)*thinned
	for i := range x {
		at := from + i*thinned
		for _, s := range samples[min(max(at-thinned, 0), len(samples)):min(max(at+2*thinned, 0), len(samples))] {
			x[i] += float64(s)
		}
	}
	if p, ok := period(&x); ok {
		m.add(p)
	}
}

// period is that of the last samples, in samples of pitchRate: where they are most like those before.
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

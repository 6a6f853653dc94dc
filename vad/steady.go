package vad

// The measures of a step that tell steady noise: power, and power of the difference of
// samples, in which rumble does not hide the rest.
const measures = 2

const (
	// close and far are factors by which a measure may differ from its mean: 0.9 dB, which
	// white noise exceeds in a step of a hundred or so, and 1.8 dB, which it never does.
	closeBy = 1.22
	farBy   = 1.5
	// calmSteps in a row must be close: half a second. One that is not quite takes back
	// a few of them.
	calmSteps = 25
	calmLost  = 3
	// calmRate is that of the mean's tracking.
	calmRate = 1.0 / 16
	// calmChance is the probability of speech from which on nothing is called steady.
	calmChance = 0.1
)

// steady follows how loud the last steps were: in a room where nothing happens there is
// nothing to be judged anew. Speech that is too soft to move the level by 0.9 dB in 20 ms
// is too soft to be heard.
type steady struct {
	mean [measures]float64
	calm int // up to calmSteps
}

// push takes a step's samples after the one before them, and the probability of speech
// until then. It reports whether nothing has changed for a while that speech would change.
func (s *steady) push(x []int16, p float32) bool {
	power := powers(x)
	if s.apart(&power, farBy) {
		s.mean, s.calm = power, 0
		return false
	}
	moved := s.apart(&power, closeBy)
	for i, v := range power {
		s.mean[i] += calmRate * (v - s.mean[i])
	}
	switch {
	case p >= calmChance:
		s.calm = 0
	case moved:
		s.calm = max(0, s.calm-calmLost)
	case s.calm == calmSteps:
		return true
	default:
		s.calm++
	}
	return false
}

// apart reports whether a measure differs from its mean by more than the factor.
func (s *steady) apart(power *[measures]float64, by float64) bool {
	for i, v := range power {
		if v > by*s.mean[i] || by*v < s.mean[i] {
			return true
		}
	}
	return false
}

func powers(x []int16) [measures]float64 {
	var sum, difference int64
	last := int64(x[0])
	for _, v := range x[1:] {
		v := int64(v)
		sum += v * v
		difference += (v - last) * (v - last)
		last = v
	}
	return [measures]float64{float64(sum), float64(difference)}
}

func (s *steady) move(to *state) {
	to.floats(s.mean[:])
	to.count(&s.calm, calmSteps)
}

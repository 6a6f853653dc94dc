package clean

import (
	"math"

	"steno/session/asr"
)

// Faint is the level of the loudest tenth of a second below which nothing was said: -50 dB of full
// scale.
const Faint = 100

// Loudest returns the level of the loudest tenth of a second of samples.
func Loudest(samples []int16) float64 {
	var l level
	l.add(samples)
	return l.loudest()
}

// level measures audio that comes in pieces.
type level struct {
	samples int
	power   float64 // of the tenth of a second that is not complete
	count   int     // of its samples
	most    float64 // mean power of the loudest
}

func (l *level) add(samples []int16) {
	l.samples += len(samples)
	for _, x := range samples {
		l.power += float64(x) * float64(x)
		if l.count++; l.count == asr.Rate/10 {
			l.most, l.power, l.count = max(l.most, l.power/float64(l.count)), 0, 0
		}
	}
}

// loudest returns the level of the loudest tenth of a second so far.
func (l *level) loudest() float64 {
	most := l.most
	if l.count > 0 {
		most = max(most, l.power/float64(l.count))
	}
	return math.Sqrt(most)
}

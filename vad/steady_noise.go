package vad

import "steno/vad/internal/logmel"

// The levels of a step that tell steady noise are means of logarithms of power: those of ranges of
// neighbouring bands, and that of all bands.
const (
	rangeBands = 4
	ranges     = logmel.Bands / rangeBands
	levels     = ranges + 1
)

const (
	// By so much a level may lie above its mean, in natural logarithms of power: 5.2 dB in a range,
	// 5.6 dB in the lowest one, which has few bins and so moves more by chance, and 3 dB in all
	// bands. Noise of even density exceeds that in a step of hundreds.
	rangeRises, lowestRises, allRises = 1.2, 1.3, 0.7
	// levelRate is that of the means' tracking: 0.2 s.
	levelRate = 0.1
	// steadySteps in a row must have no level above: 0.2 s. One that has takes back a few of them.
	steadySteps = 10
	steadyLost  = 3
	// steadyChance is the probability of speech from which on nothing is called steady, and no mean
	// rises.
	steadyChance = 0.1
)

// steadyNoise follows the levels of the last steps: in a room where nothing gets louder nothing
// needs to be judged again. Speech that raises no range of bands above the noise around it is too
// soft to be heard.
type steadyNoise struct {
	heard bool // the means are of something
	mean  [levels]float32
	quiet int // up to steadySteps
}

// push takes a step's bands, and the probability of speech until then. It reports whether nothing
// has changed for a while that speech would change.
func (s *steadyNoise) push(bands *[logmel.Bands]float32, p float32) bool {
	now := levelsOf(bands)
	if !s.heard {
		s.heard, s.mean = true, now
	}
	risen := s.below(&now)
	s.follow(&now, p < steadyChance)
	switch {
	case p >= steadyChance:
		s.quiet = 0
	case risen:
		s.quiet = max(0, s.quiet-steadyLost)
	case s.quiet == steadySteps:
		return true
	default:
		s.quiet++
	}
	return false
}

// below reports whether a mean is further below the level than that may rise.
func (s *steadyNoise) below(now *[levels]float32) bool {
	for i, v := range now[1:ranges] {
		if v > s.mean[1+i]+rangeRises {
			return true
		}
	}
	return now[0] > s.mean[0]+lowestRises || now[ranges] > s.mean[ranges]+allRises
}

// follow moves the means towards the levels: downwards always, upwards where they may rise.
func (s *steadyNoise) follow(now *[levels]float32, rise bool) {
	for i, v := range now {
		if d := v - s.mean[i]; rise || d < 0 {
			s.mean[i] += float32(levelRate * d)
		}
	}
}

// levelsOf returns the levels of the ranges, and after them that of all bands.
func levelsOf(bands *[logmel.Bands]float32) (out [levels]float32) {
	for i, v := range bands {
		out[i/rangeBands] += v
	}
	for i, v := range out[:ranges] {
		out[i] = v / rangeBands
		out[ranges] += out[i] / ranges
	}
	return out
}

func (s *steadyNoise) move(to *state) {
	to.flag(&s.heard)
	to.float32s(s.mean[:])
	to.count(&s.quiet, steadySteps)
}

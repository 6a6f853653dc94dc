package vad

import "math"

const (
	mostOdds  = 6.0  // log-odds are limited to +-
	oddsPole  = 0.35 // of their one-pole mean
	operating = 0.91 // probability of the network that is told as DefaultThreshold
)

// operating was chosen by the table of `go run ./vad/fit -nets 0` on conversations the
// fit had seen: the least at which noisy ones have few false alarms.
//
// told shifts log-odds so that the network's operating point is DefaultThreshold.
var told = math.Log(DefaultThreshold/(1-DefaultThreshold)) - math.Log(operating/(1-operating))

// Detector gives the probability of speech per frame. It looks 32 ms back, keeps
// means over up to some seconds and never looks ahead.
type Detector struct {
	network  *Network
	ungated  bool // for tests: take the long way in silence too
	features features
	odds     float64
}

// NewDetector returns a Detector with the built-in network.
func NewDetector() *Detector { return NewDetectorWith(&builtin) }

// NewDetectorWith returns a Detector that judges by n, which must not change
// afterwards. It is meant for the program that fits networks.
func NewDetectorWith(n *Network) *Detector {
	d := &Detector{network: n}
	d.features.reset()
	return d
}

// Frame takes the next FrameSamples samples and returns the smoothed probability of
// speech, 0..1, in a scale on which DefaultThreshold is the tuned operating point. It
// does not keep samples; a frame shorter or longer is a mistake of the caller and is
// padded with zeros or cut.
//
// Digital silence (nothing above 2 LSB for 32 ms) costs a fraction of other frames
// and gives the very same result as without the short cut.
func (d *Detector) Frame(samples []int16) float32 {
	var frame [FrameSamples]int16
	copy(frame[:], samples)
	d.features.push(frame[:], &d.network.Bias, !d.ungated)
	z := limit(d.network.logOdds(&d.features.out), -mostOdds, mostOdds)
	d.odds += oddsPole * (z - d.odds)
	return float32(1 / (1 + math.Exp(-(d.odds + told))))
}

// Features are the inputs of the network for the last frame.
func (d *Detector) Features() [Inputs]float64 { return d.features.out }

const detectorState = 'D' | 'T'<<8 | 1<<16

// AppendState appends the state to b: a fixed size of about 9 kB. The network is not
// part of it.
func (d *Detector) AppendState(b []byte) []byte {
	s := state{b: b}
	d.state(&s)
	return s.b
}

// RestoreState takes a state from the front of b and returns the rest. On an error,
// which wraps ErrState, the Detector is as before.
func (d *Detector) RestoreState(b []byte) (rest []byte, err error) {
	n := *d
	s := state{b: b, reading: true}
	n.state(&s)
	if s.bad {
		return b, ErrState
	}
	*d = n
	return s.b, nil
}

func (d *Detector) state(s *state) {
	s.header(detectorState)
	d.features.state(s)
	s.float(&d.odds)
}

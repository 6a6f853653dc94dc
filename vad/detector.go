package vad

import (
	"steno/vad/internal/activation"
	"steno/vad/internal/logmel"
)

const (
	// SilentFrames of digital silence in a row reset a Detector to its beginning.
	SilentFrames = 30
	// quiet is the largest sample of digital silence: the last bit and its dither.
	quiet = 2

	// reachSamples are those of the two windows of a step.
	reachSamples = logmel.Samples + FrameSamples
)

// Silent reports whether the samples are digital silence.
func Silent(samples []int16) bool {
	for _, v := range samples {
		if v > quiet || v < -quiet {
			return false
		}
	}
	return true
}

// Detector computes the probability of speech per frame. It judges every second frame, by the last
// 42 ms and the state that earlier audio left, and never looks ahead; the frame after a judged one
// has the same probability.
//
// Two kinds of sound are not judged. 0.3 s of digital silence (nothing above 2 LSB) reset the
// Detector to the state at the beginning of a stream. This costs a comparison. While noise gets no
// louder than it was (see steadyNoise), the probability keeps its value, at a quarter of the cost
// of a judgement; see NewThoroughDetector.
type Detector struct {
	layers *layers

	sound  [reachSamples]int16 // the newest; zeros at the beginning
	silent int                 // frames of digital silence in a row, up to SilentFrames
	half   bool                // a frame of the next step is here
	p      float32             // returned by Frame
	state  []float32           // whole blocks
	steady steadyNoise
	all    bool // steady noise is judged too
}

// NewDetector returns a Detector with the built-in network.
func NewDetector() *Detector { return newDetector(builtinLayers()) }

// NewThoroughDetector returns a Detector with the built-in network that judges steady noise too. It
// is for recordings where the lowest probabilities matter as well: while noise is not judged, they
// keep their value.
func NewThoroughDetector() *Detector {
	d := NewDetector()
	d.all = true
	return d
}

// NewDetectorWith returns a Detector that judges by n, which must not change
// afterwards. It is meant for the program that fits networks.
func NewDetectorWith(n *Network) *Detector { return newDetector(newLayers(n)) }

func newDetector(l *layers) *Detector {
	return &Detector{layers: l, state: scratch(l.units), silent: SilentFrames}
}

// Frame consumes the next FrameSamples samples and returns the probability of speech, 0..1, on a
// scale where DefaultThreshold is the tuned operating point. It does not keep the slice. A shorter
// frame is padded with zeros, a longer one cut; both are mistakes of the caller.
func (d *Detector) Frame(samples []int16) float32 {
	var frame [FrameSamples]int16
	copy(frame[:], samples)
	if Silent(frame[:]) {
		if d.silent < SilentFrames {
			if d.silent++; d.silent == SilentFrames {
				d.forget()
			}
		}
		if d.silent == SilentFrames {
			return 0
		}
	} else {
		d.silent = 0
	}
	copy(d.sound[:], d.sound[FrameSamples:])
	copy(d.sound[reachSamples-FrameSamples:], frame[:])
	if d.half = !d.half; !d.half {
		d.step()
	}
	return d.p
}

// forget resets the Detector to its beginning.
func (d *Detector) forget() {
	clear(d.sound[:])
	clear(d.state)
	d.half, d.p, d.steady = false, 0, steadyNoise{}
}

// step judges the newest two frames.
func (d *Detector) step() {
	w := workspaces.Get().(*workspace)
	defer workspaces.Put(w)
	w.fit(d.layers)
	newest := (*[logmel.Bands]float32)(w.bands[:logmel.Bands])
	w.meter.Measure((*[logmel.Samples]int16)(d.sound[FrameSamples:]), newest[:])
	if !d.all && d.steady.push(newest, d.p) {
		return
	}
	w.meter.Measure((*[logmel.Samples]int16)(d.sound[:]), w.bands[logmel.Bands:])
	d.p = activation.Sigmoid(d.layers.step(w, d.state))
}

const detectorState = 'D' | 'T'<<8 | 3<<16

// AppendState appends the state to b: a fixed size of about 2 kB. The network is not
// part of it.
func (d *Detector) AppendState(b []byte) []byte {
	s := state{b: b}
	d.move(&s)
	return s.b
}

// RestoreState reads a state from the front of b and returns the rest. On an error, which wraps
// ErrState, the Detector is unchanged.
func (d *Detector) RestoreState(b []byte) (rest []byte, err error) {
	n := *d
	n.state = make([]float32, len(d.state))
	s := state{b: b, reading: true}
	n.move(&s)
	if s.bad {
		return b, ErrState
	}
	*d = n
	return s.b, nil
}

func (d *Detector) move(s *state) {
	s.header(detectorState)
	s.samples(d.sound[:])
	s.count(&d.silent, SilentFrames)
	s.flag(&d.half)
	p := []float32{d.p}
	s.float32s(p)
	d.p = p[0]
	units := d.state[:d.layers.units]
	s.float32s(units)
	for _, h := range units {
		s.bad = s.bad || h < -1 || h > 1 // the units' range
	}
	d.steady.move(s)
}

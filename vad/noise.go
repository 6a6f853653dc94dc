package vad

import "math"

const (
	subWindows = 6
	subFrames  = 40 // 6 x 40 frames: the floor is the minimum of the last 2.4 s
)

// noiseFloor estimates the power of steady noise per band by minimum statistics,
// simplified: R. Martin, "Noise power spectral density estimation based on optimal
// smoothing and minimum statistics", IEEE Trans. Speech Audio Process. 9, 2001.
type noiseFloor struct {
	seen     int // frames, counted up to 10
	in       int // frames of the current sub-window
	sub      int // the sub-window to be replaced next
	smooth   [Bands]float64
	current  [Bands]float64             // minimum of the current sub-window
	earlier  [subWindows][Bands]float64 // minima of the ones before
	lowest   [Bands]float64             // minimum over earlier
	estimate [Bands]float64
}

// unknown stands for the minimum of no frames: above any power of 16-bit audio.
const unknown = 1e12

func (n *noiseFloor) reset() {
	*n = noiseFloor{}
	for b := range n.current {
		n.current[b], n.lowest[b] = unknown, unknown
		for w := range n.earlier {
			n.earlier[w][b] = unknown
		}
	}
}

// push takes the bands' powers; bias is what the minimum of white noise must be
// multiplied by to give its mean.
func (n *noiseFloor) push(power, bias *[Bands]float64) {
	a := math.Min(0.8, 1-1/float64(n.seen+1))
	for b, p := range power {
		n.smooth[b] = a*n.smooth[b] + (1-a)*p
		if n.seen > 2 && n.smooth[b] < n.current[b] {
			n.current[b] = n.smooth[b]
		}
		low := min(n.current[b], n.lowest[b])
		if low == unknown {
			low = n.smooth[b]
		}
		n.estimate[b] = low*bias[b] + floorPower
	}
	n.seen = min(n.seen+1, 10)
	if n.in++; n.in == subFrames {
		n.turn()
	}
}

func (n *noiseFloor) turn() {
	n.earlier[n.sub] = n.current
	n.in, n.sub = 0, (n.sub+1)%subWindows
	for b := range n.current {
		n.current[b], n.lowest[b] = unknown, unknown
		for w := range n.earlier {
			n.lowest[b] = min(n.lowest[b], n.earlier[w][b])
		}
	}
}

func (n *noiseFloor) state(s *state) {
	s.count(&n.seen, 10)
	s.count(&n.in, subFrames-1)
	s.count(&n.sub, subWindows-1)
	s.floats(n.smooth[:])
	s.floats(n.current[:])
	s.floats(n.lowest[:])
	for w := range n.earlier {
		s.floats(n.earlier[w][:])
	}
}

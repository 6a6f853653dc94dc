package vad

import "math"

const (
	// minSpeech is how many frames in a row must hold before speech is believed.
	minSpeech = 10
	// release is how far, in log-odds, the threshold that keeps speech going lies
	// below the one that begins it.
	release = 2.0
	// doubt is how far below that one lies what is taken for the beginning of speech
	// once speech is sure.
	doubt = 2.0
)

// hysteresis is the two-threshold switch over probabilities. Speech begins when
// minSpeech frames in a row, the first of them at least on, are all at least off;
// it ends when `wait` frames in a row are below off.
//
// Both thresholds rise with the configured one, so for the same probabilities the
// frames called speech at a higher threshold are among those called speech at a
// lower one.
type hysteresis struct {
	on, off float64
	low     float64 // plausible before speech that is sure
	never   bool
	wait    int

	run      int // frames of the candidate that is running, while not speaking
	speaking bool
	gap      int // frames since the last one that was at least off, while speaking
}

type transition int

const (
	same transition = iota
	began
	ended
)

// newHysteresis takes a threshold in 0..1: 0 calls everything speech, 1 nothing.
func newHysteresis(threshold float64, wait int) hysteresis {
	h := hysteresis{wait: wait}
	switch {
	case threshold <= 0:
	case threshold >= 1 || math.IsNaN(threshold):
		h.never = true
	default:
		h.on = threshold
		h.off = 1 / (1 + (1-threshold)/threshold*math.Exp(release))
		h.low = 1 / (1 + (1-threshold)/threshold*math.Exp(release+doubt))
	}
	return h
}

func (h *hysteresis) push(p float64) transition {
	if h.never {
		return same
	}
	if !h.speaking {
		return h.listen(p)
	}
	if p >= h.off {
		h.gap = 0
		return same
	}
	if h.gap++; h.gap < h.wait {
		return same
	}
	h.speaking, h.run = false, 0
	return ended
}

func (h *hysteresis) listen(p float64) transition {
	if p < h.off || h.run == 0 && p < h.on {
		h.run = 0
		return same
	}
	if h.run++; h.run < minSpeech {
		return same
	}
	h.speaking, h.gap = true, 0
	return began
}

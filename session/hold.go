package session

// hold keeps the newest samples of a lane: those that an utterance may still want.
type hold struct {
	base    int64 // position of samples[0]
	samples []int16
}

func (h *hold) append(block []int16) { h.samples = append(h.samples, block...) }

// end is the position after the newest sample.
func (h *hold) end() int64 { return h.base + int64(len(h.samples)) }

// slice returns the samples in [from, to), valid until the next call of append or drop.
func (h *hold) slice(from, to int64) []int16 {
	from, to = max(from, h.base), min(to, h.end())
	if from >= to {
		return nil
	}
	return h.samples[from-h.base : to-h.base]
}

// slack is how many stale samples are tolerated before the others are moved down: half a second, so that moving is
// rare and little.
const slack = 8000

// drop lets go of everything before the position.
func (h *hold) drop(before int64) {
	stale := min(before, h.end()) - h.base
	if stale < slack {
		return
	}
	kept := copy(h.samples, h.samples[stale:])
	h.samples = h.samples[:kept]
	h.base += stale
}

package vad

import "math"

const (
	pastFrames = 128 // a power of two above reach+minSpeech+lead
	reach      = 80  // frames by which an utterance's audio may begin before the first frame that is surely speech
	bridge     = 25  // frames of lower level within speech: shorter than a pause that ends it
	fade       = 40  // frames for which the detector may report speech after its end
	rise       = 4.0 // dB above the quietest moment from which a frame counts as sound
)

// past holds the level and the probability of the latest frames, from which the onset
// is found once speech is sure.
type past struct {
	n     int64   // frames seen
	in    float64 // last sample, of the high-pass
	out   float64 // and what became of it
	level [pastFrames]float32
	p     [pastFrames]float32
}

func (h *past) push(samples []int16, p float32) {
	i := h.n % pastFrames
	h.level[i], h.p[i] = h.measure(samples), p
	h.n++
}

// levelAt is the level of a frame, meanAt that of the four frames from one on.
func (h *past) levelAt(frame int64) float32 { return h.level[frame%pastFrames] }

// mean is the mean level of the frames in [from, to).
func (h *past) mean(from, to int64) float32 {
	var sum float32
	for f := from; f < to; f++ {
		sum += h.levelAt(f)
	}
	return sum / float32(to-from)
}

func (h *past) meanAt(frame int64) float32 {
	return (h.levelAt(frame) + h.levelAt(frame+1) + h.levelAt(frame+2) + h.levelAt(frame+3)) / 4
}

// confidentSince returns the first of the frames directly before frame `from` whose
// probability is at least `off`: at most 50 frames back, never before limit.
func (h *past) confidentSince(from, limit int64, off float64) int64 {
	limit = max(limit, from-50, 0)
	for from > limit && float64(h.p[(from-1)%pastFrames]) >= off {
		from--
	}
	return from
}

// plausibleSince returns the first frame before frame `from` whose probability is at
// least `low`, with pauses of at most `bridge` frames up to `from`. It goes at most
// `reach` frames back, never before limit.
func (h *past) plausibleSince(from, limit int64, low float64) int64 {
	limit = max(limit, h.n-pastFrames, from-reach, 0)
	first, below := from, 0
	for f := from - 1; f >= limit && below <= bridge; f-- {
		if float64(h.p[f%pastFrames]) >= low {
			first, below = f, 0
		} else {
			below++
		}
	}
	return first
}

// lastAudible returns the frame after the last one before `end` that is louder than the
// quietest moment since `limit`: the detector calls frames speech for some time after
// the sound has ended. It goes at most `fade` frames back.
func (h *past) lastAudible(end, limit int64) int64 {
	limit = max(limit, h.n-pastFrames+4, end-fade, 0)
	threshold := h.quietest(limit) + rise
	for end > limit && h.levelAt(end-1) < threshold {
		end--
	}
	return end
}

// audibleSince returns the first frame before frame `from` that is louder than the
// quietest moment since `limit`, with pauses of at most `bridge` frames up to `from`:
// the first sounds of a word may lie before the frames that the detector calls speech.
// It goes at most `reach` frames back, never before limit.
func (h *past) audibleSince(from, limit int64) int64 {
	limit = max(limit, h.n-pastFrames, from-reach, 0)
	if from <= limit {
		return from
	}
	threshold := h.quietest(limit) + rise
	first, below := from, 0
	for f := from - 1; f >= limit && below <= bridge; f-- {
		if h.meanAt(f) >= threshold {
			first, below = f, 0
		} else {
			below++
		}
	}
	return first
}

// quietest is the lowest mean level of four frames in a row since frame `limit`.
func (h *past) quietest(limit int64) float32 {
	low := float32(math.Inf(1))
	for f := limit; f+4 <= h.n; f++ {
		low = min(low, h.meanAt(f))
	}
	return low
}

func (h *past) state(s *state) {
	s.position(&h.n)
	s.float(&h.in)
	s.float(&h.out)
	s.float32s(h.level[:])
	s.float32s(h.p[:])
}

package session

import "slices"

// sampleBuffer holds the newest samples of a lane: those that an utterance may still need.
type sampleBuffer struct {
	base    int64 // position of samples[0]
	samples []int16
}

// extend makes room for n more samples and returns it, to be filled before anything else is done with the buffer.
func (b *sampleBuffer) extend(n int) []int16 {
	have := len(b.samples)
	b.samples = slices.Grow(b.samples, n)[:have+n]
	return b.samples[have:]
}

// prepend puts the samples directly before those that are held.
func (b *sampleBuffer) prepend(before []int16) {
	b.base -= int64(len(before))
	b.samples = append(before, b.samples...)
}

// end is the position after the newest sample.
func (b *sampleBuffer) end() int64 { return b.base + int64(len(b.samples)) }

// slice returns the samples in [from, to). The slice is valid until the next call of extend or drop.
func (b *sampleBuffer) slice(from, to int64) []int16 {
	from, to = max(from, b.base), min(to, b.end())
	if from >= to {
		return nil
	}
	return b.samples[from-b.base : to-b.base]
}

const (
	// slack is the number of stale samples that are tolerated before the others are moved down: 0.1 s, so that moves are rare.
	slack = 1600
	// spareSamples is the largest room, in samples, that a lane in silence keeps.
	spareSamples = 320
)

// drop releases the samples before the position. Their room is for those that follow.
func (b *sampleBuffer) drop(before int64) {
	stale := min(before, b.end()) - b.base
	switch {
	case stale == int64(len(b.samples)):
		b.base, b.samples = b.end(), b.samples[:0]
	case stale >= slack:
		kept := copy(b.samples, b.samples[stale:])
		b.samples = b.samples[:kept]
		b.base += stale
	}
}

// rest gives up the room of an empty buffer, but for what silence needs.
func (b *sampleBuffer) rest() {
	if len(b.samples) == 0 && cap(b.samples) > spareSamples {
		b.samples = nil
	}
}

package session

import (
	"slices"
	"sync"
)

const (
	// slack is the number of stale samples that are tolerated before the others are moved down: 0.1 s, so that moves are rare.
	slack = 1600
	// spareSamples is the largest room, in samples, that a lane in silence keeps.
	spareSamples = 320
	// roomSamples is the room, in samples, that a lane has which holds any: for what the endpointer looks back on in silence, the
	// slack behind that, and a tick. Few utterances need more.
	roomSamples = 20 << 10
)

// freeRooms are those that no buffer has at the moment.
var freeRooms = sync.Pool{New: func() any { return new([roomSamples]int16) }}

// sampleBuffer holds the newest samples of a lane: those that an utterance may still need.
type sampleBuffer struct {
	base    int64 // position of samples[0]
	samples []int16
}

// extend makes room for n more samples and returns it, to be filled before anything else is done with the buffer.
func (b *sampleBuffer) extend(n int) []int16 {
	have := len(b.samples)
	b.grow(n)
	b.samples = b.samples[:have+n]
	return b.samples[have:]
}

// prepend puts the samples directly before those that are held.
func (b *sampleBuffer) prepend(before []int16) {
	have, n := len(b.samples), len(before)
	b.grow(n)
	b.samples = b.samples[:have+n]
	copy(b.samples[n:], b.samples[:have])
	copy(b.samples, before)
	b.base -= int64(n)
}

// grow makes room for n more samples.
func (b *sampleBuffer) grow(n int) {
	switch need := len(b.samples) + n; {
	case need <= cap(b.samples):
	case need > spareSamples && need <= roomSamples:
		room := freeRooms.Get().(*[roomSamples]int16)
		b.samples = room[:copy(room[:], b.samples)]
	default:
		b.samples = slices.Grow(b.samples, n)
	}
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

// drop releases the samples before the position. Their room is for those that follow.
func (b *sampleBuffer) drop(before int64) {
	stale := min(before, b.end()) - b.base
	switch {
	case stale == int64(len(b.samples)):
		b.base, b.samples = b.end(), b.samples[:0]
	case stale >= max(slack, int64(len(b.samples))/16):
		room := b.samples[:cap(b.samples)]
		if kept := int64(len(b.samples)) - stale; cap(room) > roomSamples && kept <= roomSamples-slack-spareSamples { // the context is over
			room = freeRooms.Get().(*[roomSamples]int16)[:]
		}
		b.samples = room[:copy(room, b.samples[stale:])]
		b.base += stale
	}
}

// rest gives up the room of an empty buffer, but for what silence needs.
func (b *sampleBuffer) rest() {
	if len(b.samples) > 0 || cap(b.samples) <= spareSamples {
		return
	}
	if cap(b.samples) == roomSamples {
		freeRooms.Put((*[roomSamples]int16)(b.samples[:roomSamples]))
	}
	b.samples = nil
}

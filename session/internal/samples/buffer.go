// Package samples holds the samples of a lane and of its utterances, in room that all sessions
// share.
package samples

import (
	"slices"
	"sync"
)

const (
	// slack is the number of stale samples that are tolerated before the others are moved down: 0.1
	// s, so that moves are rare.
	slack = 1600
	// spareSamples is the largest room, in samples, that a lane in silence keeps.
	spareSamples = 320
	// RoomSamples is the room, in samples, that a buffer has which holds any: for what the
	// endpointer looks back on in silence, the slack after that, and a tick. Few utterances need
	// more.
	RoomSamples = 20 << 10
)

// freeRooms are those that no buffer has at the moment.
var freeRooms = sync.Pool{New: func() any { return new([RoomSamples]int16) }}

// Buffer holds the newest samples of a lane: those that an utterance may still need. One goroutine
// at a time uses it.
type Buffer struct {
	base    int64 // position of samples[0]
	samples []int16
}

// Extend makes room for n more samples and returns it, to be filled before anything else is done
// with the buffer.
func (b *Buffer) Extend(n int) []int16 {
	have := len(b.samples)
	b.grow(n)
	b.samples = b.samples[:have+n]
	return b.samples[have:]
}

// Prepend puts the samples directly before those that are held.
func (b *Buffer) Prepend(before []int16) {
	have, n := len(b.samples), len(before)
	b.grow(n)
	b.samples = b.samples[:have+n]
	copy(b.samples[n:], b.samples[:have])
	copy(b.samples, before)
	b.base -= int64(n)
}

// grow makes room for n more samples.
func (b *Buffer) grow(n int) {
	switch need := len(b.samples) + n; {
	case need <= cap(b.samples):
	case need > spareSamples && need <= RoomSamples:
		room := freeRooms.Get().(*[RoomSamples]int16)
		b.samples = room[:copy(room[:], b.samples)]
	default:
		b.samples = slices.Grow(b.samples, n)
	}
}

// End is the position after the newest sample.
func (b *Buffer) End() int64 { return b.base + int64(len(b.samples)) }

// Slice returns the samples in [from, to). The slice is valid until the next call of Extend or
// Drop.
func (b *Buffer) Slice(from, to int64) []int16 {
	from, to = max(from, b.base), min(to, b.End())
	if from >= to {
		return nil
	}
	return b.samples[from-b.base : to-b.base]
}

// Drop releases the samples before the position. Their room is for those that follow.
func (b *Buffer) Drop(before int64) {
	stale := min(before, b.End()) - b.base
	switch {
	case stale == int64(len(b.samples)):
		b.base, b.samples = b.End(), b.samples[:0]
	case stale >= max(slack, int64(len(b.samples))/16):
		room := b.samples[:cap(b.samples)]
		// the context has ended
		if kept := int64(len(b.samples)) - stale; cap(room) > RoomSamples && kept <= RoomSamples-slack-spareSamples {
			room = freeRooms.Get().(*[RoomSamples]int16)[:]
		}
		b.samples = room[:copy(room, b.samples[stale:])]
		b.base += stale
	}
}

// Rest releases the room of an empty buffer, except what silence needs.
func (b *Buffer) Rest() {
	if len(b.samples) > 0 || cap(b.samples) <= spareSamples {
		return
	}
	if cap(b.samples) == RoomSamples {
		freeRooms.Put((*[RoomSamples]int16)(b.samples[:RoomSamples]))
	}
	b.samples = nil
}

// Start is the position of the oldest sample that is held.
func (b *Buffer) Start() int64 { return b.base }

// Room is how many samples the buffer has room for.
func (b *Buffer) Room() int { return cap(b.samples) }

// Reset drops all samples. The next one has the position.
func (b *Buffer) Reset(position int64) { b.base, b.samples = position, b.samples[:0] }

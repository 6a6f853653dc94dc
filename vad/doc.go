// Package vad finds speech in mono 16-kHz audio: a Detector computes the probability of speech for
// every frame of 10 ms, an Endpointer turns probabilities into utterances.
//
// Everything is a function of the frames alone: no clock, no randomness, no goroutine, no
// allocation per frame. Positions are sample counts (at 16 kHz) from the first frame passed to a
// Detector or Endpointer, and always whole frames. Both kinds of state can be saved between two
// frames and restored elsewhere; on machines of the same architecture the continuation is identical
// to the last bit.
//
// Neither type is safe for concurrent use; each belongs to one stream of audio.
package vad

// FrameSamples is the length of a frame: 10 ms at 16 kHz.
const FrameSamples = 160

package speaker

import (
	"context"

	"steno/session/asr"
)

// Turn is a stretch of one speaker's speech; speakers count from 0 in the order of first appearance.
type Turn = asr.Turn

// Wanted says what is known of the number of speakers. Zeros say nothing.
type Wanted struct {
	Exactly int // if above 0, Min and Max do not count
	Min     int
	Max     int // if below Min, Min counts
}

// MostSpeakers bounds the speakers that are told apart, whatever is wanted.
const MostSpeakers = 50

// bounds returns the least and the most speakers there shall be.
func (w Wanted) bounds() (least, most int) {
	least, most = min(max(w.Min, 1), MostSpeakers), MostSpeakers
	if w.Max > 0 {
		most = min(max(w.Max, least), MostSpeakers)
	}
	if w.Exactly > 0 {
		least = min(w.Exactly, MostSpeakers)
		most = least
	}
	return least, most
}

// Diarize tells who speaks when in a recording. speech says where there is any, in any order. The turns are ordered, do
// not overlap, and lie within speech (of which gaps up to a quarter of a second count as part); all of it belongs to
// someone. If speech is nil, it is found by the detector of sessions, which hears the recording as a whole, and turns go
// on over silences of up to a second. There are as many speakers as are wanted, if there is so much speech: each needs
// about half a second of his own.
//
// The time is in proportion to the length of the speech, about; the memory 90 bytes for each 10 ms, 140 MB
// for 4 h 15 min, besides the samples. The error is the context's.
func Diarize(ctx context.Context, samples []int16, speech []Span, want Wanted) ([]Turn, error) {
	v, err := hear(ctx, samples, speech)
	if err != nil || len(v.counts) == 0 {
		return nil, err
	}
	f, err := v.grow(ctx)
	if err != nil {
		return nil, err
	}
	least, most := want.bounds()
	of, k := f.speakers(len(v.counts), kept(f.tree, least, most, f.enough()))
	if of, err = v.redraw(ctx, of, k, least); err != nil {
		return nil, err
	}
	if of, err = v.verify(ctx, samples, of, least); err != nil {
		return nil, err
	}
	turns := v.turns(of)
	if speech == nil {
		turns = bridged(turns)
	}
	return turns, nil
}

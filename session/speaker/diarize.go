package speaker

import (
	"context"

	"steno/session/asr"
)

// Turn is a stretch of one speaker's speech, in samples. Speakers count from 0 in the order of
// first appearance.
type Turn = asr.Turn

// Count is what is known of the number of speakers. Zero values mean unknown.
type Count struct {
	Exactly int // if above 0, Min and Max do not count
	Min     int
	Max     int // if below Min, Min counts
}

// MaxSpeakers bounds the speakers of a recording, whatever is wanted.
const MaxSpeakers = 50

// bounds returns the least and the greatest number of speakers.
func (w Count) bounds() (least, most int) {
	least, most = min(max(w.Min, 1), MaxSpeakers), MaxSpeakers
	if w.Max > 0 {
		most = min(max(w.Max, least), MaxSpeakers)
	}
	if w.Exactly > 0 {
		least = min(w.Exactly, MaxSpeakers)
		most = least
	}
	return least, most
}

// Diarize returns who speaks when in a recording of 16 kHz. speech lists where there is speech, in
// any order. The turns are ordered, do not overlap, and cover the speech, including gaps in it of
// up to a quarter of a second. If speech is nil, it is detected by the detector of sessions over
// the recording as a whole, and turns continue over silences of up to a second. There are as many
// speakers as are wanted, if each has about half a second of speech.
//
// It takes time about in proportion to the length of the speech, and memory of 90 bytes for each 10
// ms, 140 MB for 4 h 15 min, in addition to the samples. The only error is the context's.
func Diarize(ctx context.Context, samples []int16, speech []Span, want Count) ([]Turn, error) {
	v, err := extract(ctx, samples, speech)
	if err != nil || len(v.loud) == 0 {
		return nil, err
	}
	f, err := v.cluster(ctx, coarseCuts)
	if err != nil {
		return nil, err
	}
	least, most := want.bounds()
	of, k := f.speakers(len(v.loud), withinSpeakers(f.tree, least, most, f.speakerFrames()))
	if of, err = v.resegment(ctx, of, k, least, rounds); err != nil {
		return nil, err
	}
	if of, err = v.verify(ctx, samples, of, least, demand{}); err != nil {
		return nil, err
	}
	if v.runsOn() {
		if of, err = v.lookAgain(ctx, samples, f, of, least, most); err != nil {
			return nil, err
		}
	}
	turns := v.turns(of)
	if speech == nil {
		turns = bridge(turns)
	}
	return turns, nil
}

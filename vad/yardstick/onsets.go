package yardstick

import (
	"fmt"
	"slices"

	"steno/vad"
	"steno/vad/corpus"
	"steno/vad/noise"
)

// Starts is how utterances began against the onsets of read speech.
type Starts struct {
	Onsets, Missed int
	Delays         []int // ms from the onset to the decision
	Clipped        []int // ms of audio that the utterance lacks, where it lacks some
}

// Quantile of the delays, ms.
func (s *Starts) Quantile(q float64) int {
	if len(s.Delays) == 0 {
		return 0
	}
	d := slices.Sorted(slices.Values(s.Delays))
	return d[int(q*float64(len(d)-1)+0.5)]
}

// MeasureStarts finds each onset after at least 0.4 s without speech in the segments.
// It is missed when nothing began within a second.
func MeasureStarts(n *vad.Network, streams ...corpus.Clip) *Starts {
	out := new(Starts)
	for _, c := range streams {
		segments := Segments(n, Defaults, noise.PCM(c.Samples))
		for a := 40; a < len(c.Labels); a++ {
			if c.Labels[a] == corpus.Speech && !slices.Contains(c.Labels[a-40:a], corpus.Speech) {
				out.find(a, segments)
			}
		}
	}
	return out
}

func (s *Starts) find(onset int, segments []Segment) {
	s.Onsets++
	for _, g := range segments {
		if g.Upto <= onset || g.Decided >= onset+100 {
			continue
		}
		if g.From > onset {
			s.Clipped = append(s.Clipped, 10*(g.From-onset))
		}
		s.Delays = append(s.Delays, 10*max(0, g.Decided-onset))
		return
	}
	s.Missed++
}

// Onsets measures the delay of decisions on read speech with gaps, in white noise 20
// and 40 dB below it. The softest onsets are below the louder noise.
func Onsets(n *vad.Network, clips []corpus.Clip) []Row {
	r := noise.Seed(9)
	stream := corpus.Stream("read", clips, r)
	var streams []corpus.Clip
	for _, snr := range []float64{40, 20} {
		streams = append(streams, stream.With(noise.White(len(stream.Samples), r), snr))
	}
	s := MeasureStarts(n, streams...)
	p50, p90 := s.Quantile(0.5), s.Quantile(0.9)
	found := float64(s.Onsets-s.Missed) >= 50.0/52*float64(s.Onsets)
	return []Row{{
		What: "decision delay, read speech", Must: "p50<=350 p90<=750, 50 of 52", Stretch: "p50<=220",
		Reached: fmt.Sprintf("p50 %d p90 %d, %d of %d", p50, p90, s.Onsets-s.Missed, s.Onsets),
		OK:      p50 <= 350 && p90 <= 750 && found, Good: p50 <= 220 && p90 <= 750 && found,
	}, {
		What: "onsets cut off", Must: "<=5 %", Stretch: "<=2 %",
		Reached: fmt.Sprintf("%d of %d %v ms", len(s.Clipped), s.Onsets, s.Clipped),
		OK:      20*len(s.Clipped) <= s.Onsets, Good: 50*len(s.Clipped) <= s.Onsets,
	}}
}

package benchmark

import (
	"fmt"
	"slices"

	"steno/vad/training/corpus"
	"steno/vad/training/noise"
)

// Starts is how utterances began and ended against the speech that was read.
type Starts struct {
	Onsets, Missed int
	Delays         []int // ms from the onset to the decision
	Early          []int // ms by which an utterance is said to begin after the onset; negative: before
	Late           []int // ms by which it is said to end after the end
	Clipped        []int // ms of audio that the utterance lacks, where it lacks some
}

// quantile of numbers; 0 of none.
func quantile(of []int, q float64) int {
	if len(of) == 0 {
		return 0
	}
	d := slices.Sorted(slices.Values(of))
	return d[int(q*float64(len(d)-1)+0.5)]
}

// Starts finds each onset after at least 0.4 s without speech, and each end before as
// much, in the segments. An onset is missed when nothing began within a second.
func (d Detector) Starts(streams ...corpus.Clip) *Starts {
	out := new(Starts)
	for _, c := range streams {
		segments := d.Segments(Defaults, noise.PCM(c.Samples))
		for a := 40; a < len(c.Labels); a++ {
			if c.Labels[a] == corpus.Speech && !slices.Contains(c.Labels[a-40:a], corpus.Speech) {
				out.find(a, segments)
			}
			if c.Labels[a-40] == corpus.Speech && !slices.Contains(c.Labels[a-39:a+1], corpus.Speech) {
				out.close(a-39, segments)
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
		s.Early = append(s.Early, 10*(g.Onset-onset))
		return
	}
	s.Missed++
}

// close finds the segment that ends about the end of speech.
func (s *Starts) close(end int, segments []Segment) {
	for _, g := range segments {
		if g.From < end && g.End > end-40 && g.End < end+60 {
			s.Late = append(s.Late, 10*(g.End-end))
			return
		}
	}
}

// Onsets measures the delay of decisions on read speech with gaps, in white noise 20
// and 40 dB below it. The softest onsets are below the louder noise.
func (d Detector) Onsets(clips []corpus.Clip) []Row {
	r := noise.Seed(9)
	stream := corpus.Stream("read", clips, r)
	var streams []corpus.Clip
	for _, snr := range []float64{40, 20} {
		streams = append(streams, stream.With(noise.White(len(stream.Samples), r), snr))
	}
	s := d.Starts(streams...)
	p50, p90 := quantile(s.Delays, 0.5), quantile(s.Delays, 0.9)
	begin, end := quantile(s.Early, 0.5), quantile(s.Late, 0.5)
	apart := max(begin, -begin, end, -end)
	return []Row{{
		What: "decision, read speech", Must: "p50<=150 p90<=500 ms, all found", Stretch: "p50<=110 p90<=400 ms",
		Reached: fmt.Sprintf("p50 %d p90 %d ms, %d of %d", p50, p90, s.Onsets-s.Missed, s.Onsets),
		OK:      p50 <= 150 && p90 <= 500 && s.Missed == 0, Good: p50 <= 110 && p90 <= 400 && s.Missed == 0,
		HeldOut: true,
	}, {
		What: "speech_start and speech_end, read speech", Must: "p50 within 60 ms", Stretch: "within 30 ms",
		Reached: fmt.Sprintf("start %+d (p10 %+d p90 %+d), end %+d (p10 %+d p90 %+d) ms", begin,
			quantile(s.Early, 0.1), quantile(s.Early, 0.9),
			end, quantile(s.Late, 0.1), quantile(s.Late, 0.9)),
		OK: apart <= 60, Good: apart <= 30, HeldOut: true,
	}, {
		What: "onsets cut off", Must: "<=5 %", Stretch: "<=2 %",
		Reached: fmt.Sprintf("%d of %d %v ms", len(s.Clipped), s.Onsets, s.Clipped),
		OK:      20*len(s.Clipped) <= s.Onsets, Good: 50*len(s.Clipped) <= s.Onsets, HeldOut: true,
	}}
}

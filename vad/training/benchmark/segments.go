// Package benchmark measures a speech detector: missed speech and false alarms on
// conversations, noises that must not be called speech, the delay of decisions.
package benchmark

import (
	"steno/vad"
	"steno/vad/training/corpus"
	"steno/vad/training/noise"
)

// Segment is an utterance, in frames. Decided is the frame that started it.
type Segment struct {
	From, Onset, Decided, End, Upto int
	Forced                          bool // cut at its longest; the next one continues it
}

// Defaults is what a client gets that asks for nothing.
var Defaults = vad.Config{Threshold: vad.DefaultThreshold, Endpointing: 800, MaxDuration: 80000}

// Segments runs the ear and an endpointer with its threshold over x.
func (d Detector) Segments(c vad.Config, x []int16) []Segment {
	c.Threshold = d.Threshold
	p := d.Probabilities(x)
	e := vad.NewEndpointer(c)
	var out []Segment
	take := func(s vad.Step, now int) {
		frames := func(samples int64) int { return int(samples / vad.FrameSamples) }
		if s.Started {
			out = append(out, Segment{From: frames(s.From), Onset: frames(s.Onset), Decided: now})
		}
		if s.Ended {
			last := &out[len(out)-1]
			last.End, last.Upto, last.Forced = frames(s.End), frames(s.Upto), s.Forced
		}
		if s.Forced {
			cut := frames(s.Upto)
			out = append(out, Segment{From: cut, Onset: cut, Decided: cut})
		}
	}
	for i, v := range p {
		take(e.Frame(x[i*vad.FrameSamples:(i+1)*vad.FrameSamples], v), i)
	}
	take(e.Finish(), len(x)/vad.FrameSamples)
	return out
}

// tally counts frames.
type tally struct {
	speech, missed, silence, alarms int
	frames, flagged, segments       int
}

func (t *tally) add(clip corpus.Clip, segments []Segment) {
	on := make([]bool, len(clip.Samples)/corpus.Frame)
	for _, s := range segments {
		for i := s.Onset; i < s.End; i++ {
			on[i] = true
		}
	}
	t.segments += len(segments)
	t.frames += len(on)
	for i, v := range on {
		label := corpus.Silence
		if clip.Labels != nil {
			label = clip.Labels[i]
		}
		if v {
			t.flagged++
		}
		switch label {
		case corpus.Speech:
			t.speech++
			if !v {
				t.missed++
			}
		case corpus.Silence:
			t.silence++
			if v {
				t.alarms++
			}
		}
	}
}

func (t *tally) miss() float64   { return percent(t.missed, t.speech) }
func (t *tally) alarm() float64  { return percent(t.alarms, t.silence) }
func (t *tally) called() float64 { return percent(t.flagged, t.frames) }

func percent(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }

// measure runs the defaults over clips and counts.
func (d Detector) measure(clips ...corpus.Clip) *tally {
	t := new(tally)
	for _, c := range clips {
		t.add(c, d.Segments(Defaults, noise.PCM(c.Samples)))
	}
	return t
}

package vad

import (
	"errors"
	"testing"

	"pgregory.net/rapid"
)

// scene is a sequence of frames an Endpointer can be given.
type scene struct {
	p      []float32
	frames [][]int16
}

// drawScene makes frames whose level follows their probability, roughly.
func drawScene(t *rapid.T) scene {
	var s scene
	for _, p := range probabilities(t) {
		frame := make([]int16, FrameSamples)
		loud := int16(20 + 3000*p*rapid.Float64Range(0, 1).Draw(t, "loud"))
		for i := range frame {
			frame[i] = loud * int16(i%2*2-1)
		}
		s.p, s.frames = append(s.p, float32(p)), append(s.frames, frame)
	}
	return s
}

func (s scene) repeat(n int) scene {
	out := scene{}
	for range n {
		out.p, out.frames = append(out.p, s.p...), append(out.frames, s.frames...)
	}
	return out
}

func drawConfig(t *rapid.T) Config {
	return Config{
		Threshold:   rapid.Float64Range(0, 1).Draw(t, "threshold"),
		Endpointing: rapid.Int64Range(160, 32000).Draw(t, "endpointing"),
		MaxDuration: rapid.Int64Range(minLongest*FrameSamples, 120000).Draw(t, "longest"),
	}
}

// utterance is what the steps of one amount to.
type utterance struct{ from, onset, upto, end int64 }

// judge checks every promise of Step and Keep and gathers the utterances.
type judge struct {
	t       interface{ Fatalf(string, ...any) }
	longest int64
	running bool
	current utterance
	out     []utterance
	keep    int64
}

func (j *judge) take(s Step, now, keep int64) {
	fail := func(why string) { j.t.Fatalf("at %d: %s: %+v, before %+v", now, why, s, j.current) }
	if s.Started {
		switch {
		case j.running || s.Ended:
			fail("started while running")
		case s.From < j.current.upto || s.From < 0:
			fail("overlaps the one before")
		case s.From < j.keep:
			fail("refers to what need not be kept")
		case s.From > s.Onset || s.Onset > now || s.Upto != now:
			fail("out of order")
		case now-s.From < minLookBack*FrameSamples && s.From != j.current.upto && s.From != 0:
			fail("too little look back")
		}
		j.running, j.current = true, utterance{from: s.From, onset: s.Onset}
	}
	if !j.running {
		if s != (Step{}) {
			fail("says something about nothing")
		}
		j.keep = keep
		return
	}
	switch {
	case s.Upto < j.current.upto && !s.Forced || s.Upto <= j.current.from && s.Forced || s.Upto > now:
		fail("Upto moved back or ahead of the audio")
	case s.Upto < j.keep:
		fail("refers to what need not be kept")
	case s.Upto-j.current.from > j.longest:
		fail("longer than allowed")
	case keep > s.Upto && (!s.Ended || s.Forced):
		fail("drops audio that is not fed")
	case s.Ended && (s.End > s.Upto || s.End <= j.current.from), s.Forced && !s.Ended:
		fail("ends wrongly")
	}
	j.current.upto, j.keep = s.Upto, keep
	if s.Ended {
		j.current.end = s.End
		j.out = append(j.out, j.current)
		j.running = s.Forced
	}
	if s.Forced {
		j.current = utterance{from: s.Upto, onset: s.Upto, upto: s.Upto}
	}
}

func (s scene) run(t interface{ Fatalf(string, ...any) }, e *Endpointer, longest int64) []utterance {
	j := &judge{t: t, longest: longest}
	now := int64(0)
	for i, p := range s.p {
		step := e.Frame(s.frames[i], p)
		now += FrameSamples
		j.take(step, now, e.Keep())
	}
	j.take(e.Finish(), now, e.Keep())
	if j.running {
		t.Fatalf("an utterance runs after Finish")
	}
	return j.out
}

func TestStepsKeepTheirPromises(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawConfig(t)
		drawScene(t).repeat(rapid.IntRange(1, 5).Draw(t, "times")).run(t, NewEndpointer(c), c.MaxDuration)
	})
}

// The audio of an utterance must not depend on how long its end is waited for.
func TestAudioEndsInTheHangoverWhateverEndpointingIs(t *testing.T) {
	var s scene
	s.add(60, 0.01, 10)
	s.add(80, 0.99, 3000)
	s.add(300, 0.01, 10)
	for _, wait := range []int64{160, 800, 4800, 32000} {
		e := NewEndpointer(Config{Threshold: DefaultThreshold, Endpointing: wait, MaxDuration: 80000})
		got := s.run(t, e, 80000)
		if len(got) != 1 || got[0].upto != (60+80+closing)*FrameSamples || got[0].end != (60+80+tail)*FrameSamples {
			t.Errorf("endpointing %d: %+v", wait, got)
		}
	}
}

func (s *scene) add(frames int, p float32, loud int16) {
	for range frames {
		frame := make([]int16, FrameSamples)
		for i := range frame {
			frame[i] = loud * int16(i%2*2-1)
		}
		s.p, s.frames = append(s.p, p), append(s.frames, frame)
	}
}

func TestEndpointingIsSilenceAfterTheHangover(t *testing.T) {
	for _, wait := range []int{1, 5, 30} {
		e := NewEndpointer(Config{Threshold: DefaultThreshold, Endpointing: int64(wait * FrameSamples),
			MaxDuration: 80000})
		var s scene
		s.add(50, 0.99, 3000)
		s.add(100, 0.01, 10)
		for i, p := range s.p {
			if step := e.Frame(s.frames[i], p); step.Ended {
				if got := i + 1 - 50; got != hangover+wait {
					t.Errorf("endpointing %d frames: ended after %d frames of silence", wait, got)
				}
				break
			}
		}
	}
}

// A slow detector passes over the beginning of a word; its audio is sought by level.
func TestAudioBeginsBeforeTheFirstSound(t *testing.T) {
	const first, sure = 100, 170
	var s scene
	s.add(first, 0.01, 10)
	s.add(sure-first, 0.05, 2000) // heard, not believed
	s.add(60, 0.99, 3000)
	got := s.run(t, NewEndpointer(Config{Threshold: DefaultThreshold, Endpointing: 800, MaxDuration: 80000}), 80000)
	if len(got) != 1 || got[0].from > first*FrameSamples {
		t.Errorf("speech sounds from frame %d on, the audio begins at sample %+v", first, got)
	}
}

// A forced cut takes the weakest place within reach, and the next utterance continues there.
func TestForcedCutAtTheWeakestPlace(t *testing.T) {
	const weak = 300 // of at most 500 frames
	var s scene
	s.add(weak, 0.99, 3000)
	s.add(cutSpan, 0.9, 100)
	s.add(300, 0.99, 3000)
	s.add(100, 0.01, 10)
	got := s.run(t, NewEndpointer(Config{Threshold: DefaultThreshold, Endpointing: 800, MaxDuration: 80000}), 80000)
	if len(got) != 2 {
		t.Fatalf("got %+v", got)
	}
	if cut := got[0].upto / FrameSamples; cut < weak || cut > weak+cutSpan || got[1].from != got[0].upto {
		t.Errorf("cut at frame %d, next from %d", cut, got[1].from/FrameSamples)
	}
}

// A pause in which the longest duration is reached ends the utterance without force.
func TestLongestReachedInSilence(t *testing.T) {
	var s scene
	s.add(300, 0.99, 3000)
	s.add(400, 0.01, 10)
	s.add(50, 0.99, 3000)
	s.add(30, 0.01, 10)
	got := s.run(t, NewEndpointer(Config{Threshold: DefaultThreshold, Endpointing: 160000, MaxDuration: 80000}), 80000)
	if len(got) != 2 || got[0].upto != (300+closing)*FrameSamples || got[1].onset < 600*FrameSamples {
		t.Errorf("got %+v", got)
	}
}

func TestEndpointerContinuesFromItsState(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawConfig(t)
		s := drawScene(t).repeat(3)
		at := rapid.IntRange(0, len(s.p)).Draw(t, "at")
		a, b := NewEndpointer(c), NewEndpointer(c)
		for i, p := range s.p {
			if i == at {
				rest, err := b.RestoreState(append(a.AppendState(nil), "tail"...))
				if err != nil || string(rest) != "tail" {
					t.Fatalf("restore: %v, rest %q", err, rest)
				}
			}
			step := a.Frame(s.frames[i], p)
			if i >= at && b.Frame(s.frames[i], p) != step {
				t.Fatalf("frame %d differs after a restore at %d", i, at)
			}
		}
		if at < len(s.p) && a.Finish() != b.Finish() {
			t.Fatalf("the end differs")
		}
	})
}

func FuzzEndpointerState(f *testing.F) {
	c := Config{Threshold: DefaultThreshold, Endpointing: 800, MaxDuration: 80000}
	e := NewEndpointer(c)
	f.Add(e.AppendState(nil), []byte{0})
	var s scene
	s.add(150, 0.99, 3000)
	for i, p := range s.p {
		e.Frame(s.frames[i], p)
	}
	f.Add(e.AppendState(nil), []byte{255, 0, 255})
	f.Fuzz(func(t *testing.T, b, p []byte) {
		e := NewEndpointer(c)
		if _, err := e.RestoreState(b); err != nil && !errors.Is(err, ErrState) {
			t.Fatalf("unexpected error %v", err)
		}
		frame := make([]int16, FrameSamples)
		for range 3 {
			for _, v := range p {
				e.Frame(frame, float32(v)/255)
				e.Keep()
			}
		}
		e.Finish()
	})
}

package whole

import (
	"errors"
	"fmt"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"steno/session/asr"
)

// step is something that a writer does.
type step struct {
	Kind string // write, pause, wait, tentative, cut
	N    int    // samples or, of waits, milliseconds; negative: that many before the end
}

var steps = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) step {
	s := step{Kind: rapid.SampledFrom([]string{"write", "write", "write", "pause", "wait", "wait", "tentative",
		"cut"}).Draw(t, "kind")}
	switch s.Kind {
	case "write":
		s.N = rapid.OneOf(rapid.IntRange(0, 1600), rapid.IntRange(0, 2*asr.Rate)).Draw(t, "samples")
	case "wait":
		s.N = rapid.IntRange(1, 500).Draw(t, "ms")
	case "tentative":
		s.N = rapid.IntRange(-1, 3*asr.Rate).Draw(t, "from")
	case "cut":
		s.N = rapid.IntRange(0, asr.Rate).Draw(t, "back")
	}
	return s
}), 0, 30)

// run does the steps and returns how many samples are left. A cut takes N samples back.
func run(u asr.Stream, all []step) (n int, err error) {
	at := 0 // of noise
	var said []int16
	for _, s := range all {
		switch s.Kind {
		case "write":
			err = errors.Join(err, u.Write(noise[at:at+s.N]))
			said = append(said, noise[at:at+s.N]...)
			at = len(said)
		case "pause":
			err = errors.Join(err, u.Pause())
		case "wait":
			time.Sleep(time.Duration(s.N) * time.Millisecond)
		case "tentative":
			err = errors.Join(err, asr.Tentative(u, s.N))
		case "cut":
			said = said[:max(0, len(said)-s.N)]
			at = len(said)
			err = errors.Join(err, asr.Cut(u, at))
		}
	}
	return len(said), errors.Join(err, u.End())
}

// TestFinalsDependOnAudioAlone has utterances written in all ways, on busy and idle slots, by
// decoders of all speeds. Each final is that of the audio, decoded in the pieces of Cut.
func TestFinalsDependOnAudioAlone(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		all := steps.Draw(rt, "steps")
		f := &fake{
			finals:   time.Duration(rapid.IntRange(0, 600).Draw(rt, "cost of finals")) * time.Millisecond,
			partials: time.Duration(rapid.IntRange(0, 600).Draw(rt, "cost of partials")) * time.Millisecond,
			stubborn: rapid.Bool().Draw(rt, "stubborn"),
		}
		c := Config{Longest: rapid.SampledFrom([]int{0, asr.Rate, 2 * asr.Rate}).Draw(rt, "longest"),
			Parallel: rapid.IntRange(0, 2).Draw(rt, "parallel")}
		slots, others := rapid.IntRange(1, 3).Draw(rt, "slots"), rapid.IntRange(0, 3).Draw(rt, "others")
		p := asr.Params{Partials: rapid.Bool().Draw(rt, "partials"),
			Priority: rapid.SampledFrom([]asr.Priority{asr.Live, asr.Replay}).Draw(rt, "priority")}
		var failure error
		synctest.Test(t, func(t *testing.T) { failure = check(serve(t, slots, f, c), t, f, all, others, p) })
		if failure != nil {
			rt.Fatal(failure)
		}
	})
}

// check runs an utterance among others and returns what is wrong with it.
func check(m *Model, t *testing.T, f *fake, all []step, others int, p asr.Params) error {
	for range others {
		u := open(t, m, asr.Params{Partials: true})
		must(t, u.Write(noise[:asr.Rate/2]))
	}
	u := open(t, m, p)
	got := make(chan asr.Result, 1)
	failed := make(chan error, 1)
	go func() {
		for {
			switch r, err := u.Recv(); {
			case err != nil:
				failed <- err
				return
			case r.Final:
				got <- r
				return
			case !p.Partials || p.Priority == asr.Replay:
				failed <- fmt.Errorf("a partial that nobody asked for: %+v", r)
				return
			}
		}
	}()
	n, err := run(u, all)
	if err != nil {
		return err
	}
	select {
	case err := <-failed:
		return err
	case r := <-got:
		r.Queued = 0
		if w := want(f, noise[:n], m.config.Longest); !reflect.DeepEqual(r, w) {
			return fmt.Errorf("final of %d samples %+v, want %+v", n, r, w)
		}
	}
	for _, c := range f.done(false) {
		if longest := m.config.Longest; longest > 0 && c.end-c.from > longest {
			return fmt.Errorf("a piece of %d samples", c.end-c.from)
		}
	}
	m.pace.mu.Lock()
	defer m.pace.mu.Unlock()
	if m.pace.speaking[""] != others {
		return fmt.Errorf("%v utterances want partials, not %d", m.pace.speaking, others)
	}
	return nil
}

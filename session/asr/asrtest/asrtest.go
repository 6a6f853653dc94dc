// Package asrtest is the suite that every recognizer must pass. It tests what package asr promises:
// one final for each ended utterance, made from that utterance's samples alone, whatever else goes
// on.
package asrtest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"steno/session/asr"
)

// UnknownLanguage is a code that no recognizer under test may accept: there is no model for
// Klingon.
const UnknownLanguage = "tlh"

// Run tests a recognizer. open returns a ready one that refuses [UnknownLanguage], and has
// t.Cleanup close it; it is called twice. The finals of the first one, which is closed after them,
// are those that the second one, which all other tests share, must return. audio holds at least two
// different utterances, best of one or two seconds, in at least one of which the recognizer finds
// words.
func Run(t *testing.T, open func(t *testing.T) asr.Recognizer, audio ...[]int16) {
	t.Helper()
	if len(audio) < 2 {
		t.Fatal("the suite needs two utterances at least")
	}
	s := &suite{audio: audio}
	t.Run("Leaks", func(t *testing.T) { s.testLeaks(t, open) })
	s.recognizer = open(t)
	if s.want == nil { // the test of leaks was not asked for
		s.want = s.decodeAll(t)
	}
	for _, test := range []struct {
		name string
		run  func(*testing.T)
	}{
		{"State", s.testState}, // of a recognizer that has decoded nothing yet
		{"Results", s.testResults},
		{"Order", s.testOrder},
		{"Partials", s.testPartials},
		{"Cutting", s.testCutting},
		{"Pauses", s.testPauses},
		{"Cut", s.testCut},
		{"Parallel", s.testParallel},
		{"Priority", s.testPriority},
		{"Vocabulary", s.testVocabulary},
		{"Context", s.testContext},
		{"Follow", s.testFollow},
		{"Ownership", s.testOwnership},
		{"Empty", s.testEmpty},
		{"Cancel", s.testCancel},
		{"CancelAfterEnd", s.testCancelAfterEnd},
		{"Cause", s.testCause},
		{"Abandoned", s.testAbandoned},
		{"Longest", s.testLongest},
		{"TooLong", s.testTooLong},
		{"Language", s.testLanguage},
	} {
		t.Run(test.name, test.run)
	}
}

// Ramp returns n samples, each 65,536 of which in a row are all different: tests see by them
// whether audio is complete and in order. Ramps of different seeds begin differently.
func Ramp(n, seed int) []int16 {
	s := make([]int16, n)
	for i := range s {
		s[i] = int16((i + seed) * 7919)
	}
	return s
}

type suite struct {
	recognizer asr.Recognizer
	audio      [][]int16
	want       []asr.Result // the final of each
}

func (s *suite) testResults(t *testing.T) {
	words := 0
	for i, r := range s.want {
		check(t, r, len(s.audio[i]))
		words += len(r.Words)
	}
	if words == 0 {
		t.Error("no words in any utterance: nothing is tested")
	}
}

// testOrder expects io.EOF after the final, again and again.
func (s *suite) testOrder(t *testing.T) {
	u := s.open(t, t.Context(), asr.Params{Partials: true})
	write(t, u, s.audio[0], 1600)
	end(t, u)
	_, final := receive(t, u)
	same(t, "final", final, s.want[0])
	for range 3 {
		if r, err := u.Recv(); err != io.EOF {
			t.Errorf("after the final: %v, %v; want io.EOF", r, err)
		}
	}
}

// testPartials follows an utterance while it is spoken. Partials may be left out, revised, and lack
// anything but text; they must not start over, change the final, or come unasked.
func (s *suite) testPartials(t *testing.T) {
	for i, samples := range s.audio {
		partials, final := s.follow(t, samples, true)
		same(t, "final", final, s.want[i])
		before := 0
		for _, p := range partials {
			check(t, p, len(samples))
			if before >= 6 && len(p.Words) < before/2 {
				t.Errorf("a partial of %d words followed one of %d: not cumulative", len(p.Words), before)
			}
			before = len(p.Words)
		}
	}
	if partials, _ := s.follow(t, s.audio[0], false); len(partials) > 0 {
		t.Errorf("%d partials, none asked for", len(partials))
	}
}

// moment is how long a speaker waits after 100 ms of audio for a partial that may never come.
const moment = 10 * time.Millisecond

// follow receives while it writes, some ten times faster than real time.
func (s *suite) follow(t *testing.T, samples []int16, wanted bool) (partials []asr.Result, final asr.Result) {
	t.Helper()
	u := s.open(t, t.Context(), asr.Params{Partials: wanted})
	received := make(chan struct{}, 1)
	var receiving sync.WaitGroup
	receiving.Go(func() {
		for !final.Final {
			r, err := u.Recv()
			if err != nil {
				t.Errorf("recv: %v", err)
				return
			}
			if r.Final {
				final = r
			} else {
				partials = append(partials, r)
			}
			select {
			case received <- struct{}{}:
			default:
			}
		}
	})
	for block := range slices.Chunk(samples, 1600) {
		write(t, u, block, len(block))
		select {
		case <-received:
		case <-time.After(moment):
		}
	}
	end(t, u)
	receiving.Wait()
	return partials, final
}

func (s *suite) testCutting(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for name, next := range map[string]func(written int) int{
		"whole":  func(int) int { return asr.MaxSamples },
		"10 ms":  func(int) int { return 160 },
		"single": func(written int) int { return 1 + 800*min(written/100, 1) },
		"random": func(int) int { return random.IntN(3200) }, // zero included
	} {
		u := s.open(t, t.Context(), asr.Params{Partials: true})
		for rest := s.audio[0]; len(rest) > 0; {
			n := min(next(len(s.audio[0])-len(rest)), len(rest))
			write(t, u, rest[:n], max(n, 1))
			rest = rest[n:]
		}
		end(t, u)
		_, final := receive(t, u)
		same(t, fmt.Sprintf("cut %q", name), final, s.want[0])
	}
}

// testPauses writes with pauses after which speech continues, some long enough for a decode to end,
// and ends after one.
func (s *suite) testPauses(t *testing.T) {
	for name, wait := range map[string]time.Duration{"short": 0, "long": 20 * moment} {
		u := s.open(t, t.Context(), asr.Params{Partials: true})
		pause := func() {
			if err := u.Pause(); err != nil {
				t.Errorf("pause: %v", err)
			}
			time.Sleep(wait)
		}
		pause()
		for part := range slices.Chunk(s.audio[0], len(s.audio[0])/3+1) {
			write(t, u, part, 1600)
			pause()
			pause()
		}
		end(t, u)
		_, final := receive(t, u)
		same(t, name+" pauses", final, s.want[0])
	}
}

// testState decodes in another order than the first recognizer, and after utterances with every
// outcome.
func (s *suite) testState(t *testing.T) {
	last := len(s.audio) - 1
	same(t, "the last one first", s.decode(t, s.audio[last], asr.Params{Partials: true}), s.want[last])
	ctx, cancel := context.WithCancel(t.Context())
	u := s.open(t, ctx, asr.Params{Partials: true})
	write(t, u, s.audio[0], 1600)
	cancel()
	same(t, "after an abandoned one", s.decode(t, s.audio[0], asr.Params{}), s.want[0])
	s.decode(t, nil, asr.Params{})
	same(t, "after an empty one", s.decode(t, s.audio[last], asr.Params{}), s.want[last])
}

func (s *suite) testParallel(t *testing.T) {
	var all sync.WaitGroup
	for n := range 4 {
		i := n % len(s.audio)
		u := s.open(t, t.Context(), asr.Params{Partials: n%2 == 0})
		all.Go(func() {
			write(t, u, s.audio[i], 320*(n+1))
			end(t, u)
		})
		all.Go(func() {
			_, final := receive(t, u)
			same(t, "one of many", final, s.want[i])
		})
	}
	all.Wait()
}

func (s *suite) testPriority(t *testing.T) {
	same(t, "replay", s.decode(t, s.audio[0], asr.Params{Priority: asr.Replay}), s.want[0])
}

// testVocabulary expects no more than that a vocabulary does no harm.
func (s *suite) testVocabulary(t *testing.T) {
	r := s.decode(t, s.audio[0], asr.Params{Vocabulary: []asr.Term{
		{Text: "Zorblax", Intensity: 0.5, Pronunciations: []string{"zor blacks"}}, {Text: "ice cream"},
	}})
	check(t, r, len(s.audio[0]))
	same(t, "after a vocabulary", s.decode(t, s.audio[0], asr.Params{}), s.want[0])
}

func (s *suite) testOwnership(t *testing.T) {
	u := s.open(t, t.Context(), asr.Params{Partials: true})
	buffer := make([]int16, 1600)
	for rest := s.audio[0]; len(rest) > 0; {
		n := copy(buffer, rest)
		write(t, u, buffer[:n], n)
		for i := range buffer {
			buffer[i] = int16(i * 31)
		}
		rest = rest[n:]
	}
	end(t, u)
	_, final := receive(t, u)
	same(t, "with a reused slice", final, s.want[0])
}

func (s *suite) testEmpty(t *testing.T) {
	for name, writes := range map[string][][]int16{"nothing": nil, "no samples": {nil, {}}} {
		u := s.open(t, t.Context(), asr.Params{Partials: true})
		for _, samples := range writes {
			if err := u.Write(samples); err != nil {
				t.Errorf("%s: write: %v", name, err)
			}
		}
		end(t, u)
		if _, final := receive(t, u); len(final.Words) > 0 {
			t.Errorf("%s: words %v", name, final.Words)
		}
	}
}

func (s *suite) testLongest(t *testing.T) {
	if testing.Short() {
		t.Skip("decodes a minute of audio")
	}
	samples := make([]int16, asr.MaxSamples)
	copy(samples, s.audio[0])
	check(t, s.decode(t, samples, asr.Params{}), len(samples))
}

func (s *suite) testTooLong(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	u := s.open(t, ctx, asr.Params{Context: make([]int16, asr.MaxContext)}) // which does not count
	second := make([]int16, asr.Rate)
	for range asr.MaxSamples / asr.Rate {
		if err := u.Write(second); err != nil {
			t.Fatalf("write within the bound: %v", err)
		}
	}
	if err := u.Write(second[:1]); !errors.Is(err, asr.ErrTooLong) {
		t.Errorf("one sample more: %v, want ErrTooLong", err)
	}
	if r, err := u.Recv(); !errors.Is(err, asr.ErrTooLong) {
		t.Errorf("received %v, %v; want ErrTooLong", r, err)
	}
	same(t, "after one too long", s.decode(t, s.audio[0], asr.Params{}), s.want[0])
}

func (s *suite) testLanguage(t *testing.T) {
	u, err := s.recognizer.Open(t.Context(), asr.Params{Language: UnknownLanguage})
	if !errors.Is(err, asr.ErrLanguage) {
		t.Errorf("unknown language: %v, %v; want ErrLanguage", u, err)
	}
	language := s.want[0].Language
	same(t, "default language by name", s.decode(t, s.audio[0], asr.Params{Language: language}), s.want[0])
}

// testLeaks closes a recognizer after utterances with every outcome, and expects none of its
// goroutines to be left. Its finals are those that the suite expects of the next one.
func (s *suite) testLeaks(t *testing.T, open func(t *testing.T) asr.Recognizer) {
	before := goleak.IgnoreCurrent()
	t.Run("Use", func(t *testing.T) {
		f := &suite{recognizer: open(t), audio: s.audio}
		s.want = f.decodeAll(t)
		ctx, cancel := context.WithCancel(t.Context())
		write(t, f.open(t, ctx, asr.Params{Partials: true}), s.audio[0], 1600) // abandoned without a Recv
		write(t, f.open(t, t.Context(), asr.Params{}), s.audio[0], 1600)       // still open when all is closed
		cancel()
	})
	goleak.VerifyNone(t, before)
}

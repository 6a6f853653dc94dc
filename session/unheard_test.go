package session

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"steno/messages"
	"steno/session/asr"
	"steno/session/asr/router"
	"steno/session/asr/scripted"
)

// silentEngine is an engine that returns no words for some of its utterances.
type silentEngine struct {
	name    string
	silent  func(n int) bool // whether the n-th final is empty
	dropped string           // why the empty ones are

	away  bool
	mu    sync.Mutex
	asked int // finals
}

func (e *silentEngine) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	if e.away {
		return nil, asr.ErrUnavailable
	}
	u, err := scripted.New(scripted.Config{}).Open(ctx, p)
	return emptyStream{u, e}, err
}

type emptyStream struct {
	asr.Stream
	e *silentEngine
}

func (s emptyStream) Recv() (asr.Result, error) {
	r, err := s.Stream.Recv()
	r.Engine = s.e.name
	if err != nil || !r.Final {
		return r, err
	}
	s.e.mu.Lock()
	defer s.e.mu.Unlock()
	if s.e.silent(s.e.asked) {
		r.Words, r.Dropped = nil, s.e.dropped
	}
	s.e.asked++
	return r, nil
}

func always(int) bool      { return true }
func never(int) bool       { return false }
func onlyFirst(n int) bool { return n == 0 }

// An engine that finds no words in speech is asked again, then the others, each once. Text that was
// dropped on purpose is final.
func TestUnheardSpeech(t *testing.T) {
	for _, c := range []struct {
		name    string
		engines []*silentEngine
		asked   []int  // finals of each engine
		by      string // the engine that is named where another than the first has answered
		words   bool
		told    []string // engines reported to the gateway
	}{
		{"a moment", []*silentEngine{{name: "a", silent: onlyFirst}, {name: "b", silent: never}}, []int{2, 0}, "",
			true, []string{"a"}},
		{"the first", []*silentEngine{{name: "a", silent: always}, {name: "b", silent: never}}, []int{2, 1}, "b", true,
			[]string{"a", "a"}},
		{"the first two", []*silentEngine{{name: "a", silent: always}, {name: "b", silent: always},
			{name: "c", silent: never}},
			[]int{2, 1, 1}, "c", true, []string{"a", "a", "b"}},
		{"all", []*silentEngine{{name: "a", silent: always}, {name: "b", silent: always}}, []int{2, 1}, "", false,
			[]string{"a", "a", "b"}},
		{"the only one", []*silentEngine{{name: "a", silent: always}}, []int{2}, "", false, []string{"a", "a"}},
		{"dropped", []*silentEngine{{name: "a", silent: always, dropped: "noise"}, {name: "b", silent: never}},
			[]int{1, 0}, "", false, nil},
		{"dropped by the second", []*silentEngine{{name: "a", silent: always}, {name: "b", silent: always,
			dropped: "loop"}}, []int{2, 1}, "", false, []string{"a", "a"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, told := playSilent(t, c.engines)
			for i, e := range c.engines {
				if e.asked != c.asked[i] {
					t.Errorf("engine %s was asked %d times, want %d", e.name, e.asked, c.asked[i])
				}
			}
			if !slices.Equal(told, c.told) {
				t.Errorf("told of %v, want %v", told, c.told)
			}
			r := m.Outcome().Result
			if us := r.Transcription.Utterances; len(us) > 0 != c.words || c.words && us[0].Engine != c.by {
				t.Errorf("utterances %+v, want words: %v, by %q", us, c.words, c.by)
			}
			dropped := slices.ContainsFunc(c.engines, func(e *silentEngine) bool { return e.dropped != "" })
			checkReported(t, m, !c.words && !dropped, c.engines)
		})
	}
}

// playSilent plays an utterance to engines in their order.
func playSilent(t *testing.T, engines []*silentEngine) (*Memory, []string) {
	t.Helper()
	var config router.Config
	var plan router.Plan
	for _, e := range engines {
		config.Engines = append(config.Engines, router.Engine{Name: e.name, Recognizer: e, Languages: []string{"en"}})
		plan.Engines = append(plan.Engines, e.name)
	}
	config.Plans = map[string]router.Plan{"m": plan}
	r, err := router.New(config)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var m Memory
	var told []string
	cfg := configOf(t, &m, `{"language_config":{"languages":["en"]}}`, asr.Live)
	cfg.Recognizer, cfg.Unheard = r.For("m"), func(engine string) { told = append(told, engine) }
	s, err := Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	write(t, s, interleave(append(whiteNoise(1, -80, 1), voice(2, 1)...)))
	stopAndWait(t, s)
	return &m, told
}

// An engine that is away is not waited for: later finals would be as late.
func TestUnheardSpeechWaitsForNoEngine(t *testing.T) {
	engines := []*silentEngine{{name: "a", silent: always}, {name: "b", silent: never, away: true}}
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		m, _ := playSilent(t, engines)
		if took := time.Since(began); took > time.Second {
			t.Errorf("the utterance waited for %v", took)
		}
		checkReported(t, m, true, engines[:1])
	})
}

// checkReported checks that an error event and a warning name the utterance and the engines, or
// that there are none.
func checkReported(t *testing.T, m *Memory, want bool, engines []*silentEngine) {
	t.Helper()
	var names []string
	for _, e := range engines {
		names = append(names, e.name)
	}
	events := 0
	for _, e := range m.events {
		if e.Kind == messages.KindError {
			events++
			if f := e.Message.(messages.Failure); !strings.Contains(f.Message, "00_00000000") ||
				!strings.Contains(f.Message, strings.Join(names, ", ")) {
				t.Errorf("event %+v", f)
			}
		}
	}
	warnings := m.Outcome().Result.Warnings
	if events != map[bool]int{true: 1}[want] || len(warnings) != events {
		t.Errorf("%d error events, warnings %v; want any: %v", events, warnings, want)
	}
}

// Speech that is too short for a word may have an empty final.
func TestShortSpeechMayBeEmpty(t *testing.T) {
	e := &silentEngine{name: "a", silent: always}
	var m Memory
	s := openWith(t, &m, `{}`, asr.Live, e)
	write(t, s, interleave(append(append(whiteNoise(1, -80, 1), voice(0.4, 1)...), whiteNoise(1, -80, 2)...)))
	stopAndWait(t, s)
	if e.asked != 1 || len(m.Outcome().Result.Warnings) > 0 {
		t.Errorf("asked %d times, warnings %v", e.asked, m.Outcome().Result.Warnings)
	}
}

// The number of ticks in which speech was heard is the same after restarts, and no tick counts
// twice over a forced cut.
func TestSpokenSurvives(t *testing.T) {
	pcm := scene(1, 30, 9)
	const request = `{"maximum_duration_without_endpointing":5,"endpointing":1}`
	count := func(cuts ...int) string {
		k := scripted.New(scripted.Config{})
		var m Memory
		s := openWith(t, &m, request, asr.Replay, k)
		from := 0
		for _, to := range append(cuts, len(pcm)) {
			write(t, s, pcm[from:to])
			if from = to; to < len(pcm) {
				s.Abandon()
				s = openWith(t, &m, request, asr.Replay, k)
			}
		}
		l := s.recording.lanes[0]
		stopAndWait(t, s)
		return fmt.Sprint(l.voicing, l.spoken, len(m.Outcome().Result.Transcription.Utterances))
	}
	want := count()
	for cut := len(pcm) / 4; cut < len(pcm); cut += len(pcm) / 4 {
		if got := count(cut &^ 1); got != want {
			t.Errorf("left at %d: %s, want %s", cut, got, want)
		}
	}
}

func TestVoicing(t *testing.T) {
	var v voicing
	var all []bool
	for i := range 600 {
		speech := i%3 == 0 || i%7 == 0
		v.push(speech)
		all = append(all, speech)
		for _, n := range []int64{-1, 0, 1, 63, 64, 65, 200, 256, 400} {
			want := int64(0)
			for _, s := range all[max(0, len(all)-int(min(max(n, 0), voicingTicks))):] {
				if s {
					want++
				}
			}
			if got := v.newest(n); got != want {
				t.Fatalf("after %d ticks: %d of the newest %d, want %d", i+1, got, n, want)
			}
		}
	}
}

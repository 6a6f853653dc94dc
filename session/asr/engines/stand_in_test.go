package engines

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"steno/session/asr"
	"steno/session/asr/local"
	"steno/session/asr/riva/pool"
	"steno/session/asr/router"
)

// english lists one model for English, unless it is away.
type english struct{ away atomic.Bool }

func (e *english) Open(context.Context, asr.Params) (asr.Stream, error) {
	return nil, asr.ErrUnavailable
}

func (e *english) Models(context.Context) ([]asr.Model, error) {
	if e.away.Load() {
		return nil, asr.ErrUnavailable
	}
	return []asr.Model{{Name: "m", Languages: []string{"en"}}}, nil
}

// A stand-in is needed where no other engine is expected to have its language, or none has it for
// long, and not for a moment.
func TestStandInIsNeeded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		better, installed := &english{}, true
		plans := map[string]router.Plan{"stt-1": {Engines: []string{"better"}}}
		r, err := router.New(router.Config{Engines: []router.Engine{{Name: "better", Recognizer: better}},
			Plans: plans})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		s := &Set{router: r, config: Config{Plans: plans}, routed: make(chan struct{}), starts: newFirstStarts()}
		n := &needed{set: s, name: "sphinx", rule: StandIn{Language: "en", Needless: func() bool { return installed }}}
		want := func(when string, want bool) {
			t.Helper()
			if got := n.now(); got != want {
				t.Errorf("%s: needed %v", when, got)
			}
		}
		installed = false
		want("nothing is installed", true)
		installed = true
		want("before the engines are known", false)
		close(s.routed)
		s.starts.expect([]*process{{&local.Recognizer{}, "better", false}, {&local.Recognizer{}, "sphinx", true}},
			false)
		time.Sleep(time.Hour)
		want("while the better engine starts", false)
		s.starts.record("better", nil)
		time.Sleep(time.Hour)
		want("with the better engine", false)

		better.away.Store(true)
		for range 5 { // as often as the supervisor looks
			time.Sleep(2 * time.Second)
			want("while it is away for a moment", false)
		}
		better.away.Store(false)
		r.Arrived("better")
		want("when it is back", false)
		better.away.Store(true)
		time.Sleep(10 * time.Second)
		want("when it has gone again", false)
		time.Sleep(standInAfter + 10*time.Second) // its last answer grows old first
		n.now()
		time.Sleep(standInAfter)
		want("when it stays away", true)
	})
}

// Where the engine that was to serve cannot be started the stand-in is, and the set has failed only
// if that fails too.
func TestStandInIsStarted(t *testing.T) {
	nowhere := func() *local.Config {
		return &local.Config{Binary: "/nowhere/steno-engine", EnabledEvery: time.Millisecond}
	}
	s, err := Start(t.Context(), Config{
		Engines: []Engine{
			{Name: "better", Local: nowhere()},
			{Name: "sphinx", Local: nowhere(), StandIn: &StandIn{Language: "en",
				Needless: func() bool { return true }}},
		},
		Plans: map[string]router.Plan{"stt-1": {Engines: []string{"better", "sphinx"}}},
	}, Observer{Process: func(string, local.Event) {}, Line: func(string, string) {},
		Server: func(string, pool.Change) {}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	err = s.Wait(t.Context(), "stt-1")
	if err == nil || strings.Count(err.Error(), "/nowhere") != 2 {
		t.Errorf("got %v, want the failures of both", err)
	}
	if err := <-s.Failed(); err == nil || errors.Is(err, errNoModels) {
		t.Errorf("failed: %v", err)
	}
}

package router_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"steno/session/asr"
	"steno/session/asr/router"
)

var (
	errGone   = asr.ErrUnavailable
	errBroken = errors.New("permission denied") // wrong for good, but only there
)

// TestPatience has an engine go away and come back.
func TestPatience(t *testing.T) {
	for _, c := range []struct {
		name     string
		away     error
		priority asr.Priority
		patience time.Duration
	}{
		{"live", errGone, asr.Live, time.Second},
		{"replay", errGone, asr.Replay, 10 * time.Second},
		{"broken", errBroken, asr.Live, time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a, b := newFake("a"), newFake("b")
				r := routerOf(t, engine(a), engine(b))
				p := asr.Params{Language: "en", Priority: c.priority}
				audio := noise(asr.Rate, 1)

				if got := decode(t, r, p, audio); got.Engine != "a" || got.Fallback {
					t.Errorf("at first: %q, stood in %v", got.Engine, got.Fallback)
				}
				a.set(func() { a.away = c.away })
				began := time.Now()
				for time.Since(began) < c.patience {
					refused(t, r, p, asr.ErrUnavailable)
					time.Sleep(10 * time.Millisecond)
				}
				if n := a.times() - 1; n < 2 || n > 7 {
					t.Errorf("asked %d times while everybody waited", n)
				}
				if got := decode(t, r, p, audio); got.Engine != "b" || !got.Fallback {
					t.Errorf("after %v: %q, stood in %v", c.patience, got.Engine, got.Fallback)
				}
				a.set(func() { a.away = nil })
				time.Sleep(5 * time.Second) // the longest pause between two questions
				if got := decode(t, r, p, audio); got.Engine != "a" || got.Fallback {
					t.Errorf("back: %q, stood in %v", got.Engine, got.Fallback)
				}
			})
		})
	}
}

// TestAskingIsRare counts how often an engine that is away for long is asked, and what asking
// costs.
func TestAskingIsRare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := newFake("a"), newFake("b")
		a.away, a.slow = errGone, 5*time.Second
		r := routerOf(t, engine(a), engine(b))
		p := asr.Params{Language: "en"}
		began := time.Now()
		late := 0
		for time.Since(began) < time.Minute {
			at := time.Now()
			decode(t, r, p, noise(1600, 1))
			if took := time.Since(at); took > 0 && at != began {
				late++
				if took > time.Second {
					t.Errorf("an utterance waited %v for an engine known to be away", took)
				}
			}
			time.Sleep(100 * time.Millisecond)
		}
		if n := a.times(); n > 16 || n < 8 {
			t.Errorf("asked %d times in a minute", n)
		}
		if late > 15 {
			t.Errorf("%d utterances waited", late)
		}
	})
}

// TestSignsOfLife expects an engine that is away to be asked early whenever it has listed its
// models.
func TestSignsOfLife(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &listingEngine{fake: newFake("a"), models: []asr.Model{{Name: "x", Languages: []string{"en"}}}}
		a.away = errGone
		r := build(t, router.Config{
			Engines: []router.Engine{engine(a), engine(newFake("b"))}, Refresh: time.Second,
			Plans: map[string]router.Plan{"m": {Engines: []string{"a", "b"}}},
		})
		for began := time.Now(); time.Since(began) < time.Minute; time.Sleep(50 * time.Millisecond) {
			_, _ = attempt(t.Context(), r.For("m"), asr.Params{Language: "en"}, nil, 1)
			synctest.Wait()
		}
		if n := a.times(); n < 40 || n > 70 {
			t.Errorf("asked %d times in a minute, in which it told its models every second", n)
		}
	})
}

// TestOneAsks has many utterances ask for an engine that is away at the same time.
func TestOneAsks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := newFake("a"), newFake("b")
		a.away = errGone
		r := routerOf(t, engine(a), engine(b))
		p := asr.Params{Language: "en"}
		refused(t, r, p, asr.ErrUnavailable)
		time.Sleep(2 * time.Second)
		a.set(func() { a.slow = time.Second })
		before := a.times()
		for range 20 {
			go func() {
				if got := decode(t, r, p, noise(1600, 1)); got.Engine != "b" || !got.Fallback {
					t.Errorf("%q, stood in %v", got.Engine, got.Fallback)
				}
			}()
		}
		synctest.Wait()
		if n := a.times() - before; n != 1 {
			t.Errorf("%d asked", n)
		}
		time.Sleep(2 * time.Second)
	})
}

// TestCancelledAskerLeavesTheQuestion cancels a caller that asks an engine: the next caller asks.
func TestCancelledAskerLeavesTheQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := newFake("a"), newFake("b")
		a.away = errGone
		r := routerOf(t, engine(a), engine(b))
		p := asr.Params{Language: "en"}
		refused(t, r, p, asr.ErrUnavailable)
		time.Sleep(2 * time.Second)
		a.set(func() { a.slow = 900 * time.Millisecond })
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		if _, err := r.For("m").Open(ctx, p); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
		a.set(func() { a.away = nil })
		if got := decode(t, r, p, noise(1600, 1)); got.Engine != "a" {
			t.Errorf("engine %q", got.Engine)
		}
	})
}

// TestAttemptsReachTheNext has an utterance that its engine loses again and again.
func TestAttemptsReachTheNext(t *testing.T) {
	a, b, c := newFake("a"), newFake("b"), newFake("c")
	r := routerOf(t, engine(a), engine(b), engine(c))
	for n, want := range []string{"a", "a", "a", "b", "b", "b", "c", "c", "c", "c"} {
		got := decode(t, r, asr.Params{Language: "en", Attempt: n}, noise(1600, 1))
		if got.Engine != want || got.Fallback != (want != "a") {
			t.Errorf("attempt %d: %q, stood in %v; want %q", n, got.Engine, got.Fallback, want)
		}
	}
	refused(t, r, asr.Params{Language: "en", Attempt: 10, Until: time.Now().Add(time.Hour)}, asr.ErrNoOther)
	if got := decode(t, r, asr.Params{Language: "en", Attempt: -1}, nil); got.Engine != "a" {
		t.Errorf("engine %q", got.Engine)
	}
}

// TestAttemptsComeRound loses an utterance with an engine when the next one is away.
func TestAttemptsComeRound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := newFake("a"), newFake("b")
		b.away = errGone
		r := routerOf(t, engine(a), engine(b))
		p := asr.Params{Language: "en", Attempt: 3}
		refused(t, r, p, asr.ErrUnavailable)
		time.Sleep(time.Second)
		if got := decode(t, r, p, noise(1600, 1)); got.Engine != "a" || got.Fallback {
			t.Errorf("%q, stood in %v", got.Engine, got.Fallback)
		}
	})
}

// TestOnlyEngineIsAlwaysAsked has no other engine.
func TestOnlyEngineIsAlwaysAsked(t *testing.T) {
	a := newFake("a")
	a.away = errGone
	r := routerOf(t, engine(a))
	for range 3 {
		refused(t, r, asr.Params{Language: "en"}, asr.ErrUnavailable)
	}
	a.away = nil
	if got := decode(t, r, asr.Params{Language: "en", Attempt: 9}, noise(1600, 1)); got.Engine != "a" || got.Fallback {
		t.Errorf("%q, stood in %v", got.Engine, got.Fallback)
	}
	if a.times() != 4 {
		t.Errorf("asked %d times", a.times())
	}
}

// TestWaitingForAnEngine opens an utterance that may wait, for an engine that is away for a while
// or for too long.
func TestWaitingForAnEngine(t *testing.T) {
	for name, engines := range map[string]int{"only engine": 1, "one of two": 2} {
		for away, want := range map[time.Duration]error{0: nil, 20 * time.Second: nil,
			40 * time.Second: asr.ErrUnavailable} {
			t.Run(name+" "+away.String(), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					list := []router.Engine{engine(newFake("a")), engine(newFake("b"))}[:engines]
					for _, e := range list {
						f := e.Recognizer.(*fake)
						f.away = errGone
						time.AfterFunc(away, func() { f.set(func() { f.away = nil }) })
					}
					began := time.Now()
					p := asr.Params{Language: "en", Until: began.Add(30 * time.Second)}
					_, err := attempt(t.Context(), routerOf(t, list...).For("m"), p, noise(1600, 1), 1600)
					if !errors.Is(err, want) {
						t.Errorf("error %v, want %v", err, want)
					}
					took, least := time.Since(began), min(away, 30*time.Second)
					if took < least || took > least+6*time.Second {
						t.Errorf("waited %v", took)
					}
					time.Sleep(time.Minute) // engines are back: their timers have ended
				})
			})
		}
	}
}

// TestWaitingEndsWithTheContext has a context end while an utterance waits.
func TestWaitingEndsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newFake("a")
		a.away = errGone
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		p := asr.Params{Language: "en", Until: time.Now().Add(time.Hour)}
		if _, err := routerOf(t, engine(a)).For("m").Open(ctx, p); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
	})
}

// TestRefusalsMoveOn has an engine refuse a language that it should have, when it is opened or with
// its first result.
func TestRefusalsMoveOn(t *testing.T) {
	for name, refuse := range map[string]func(*fake){
		"at once": func(f *fake) { f.away = asr.ErrLanguage },
		"late":    func(f *fake) { f.late = asr.ErrLanguage },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a, b := newFake("a"), newFake("b")
				refuse(a)
				r := routerOf(t, engine(a, "fr", "en"), engine(b, "fr"))
				p := asr.Params{Language: "fr"}
				if name == "late" {
					refused(t, r, p, asr.ErrUnavailable)
				}
				if got := decode(t, r, p, noise(1600, 1)); got.Engine != "b" || got.Fallback {
					t.Errorf("%q, stood in %v", got.Engine, got.Fallback)
				}
				asked := a.times()
				decode(t, r, p, noise(1600, 1))
				if a.times() != asked {
					t.Error("asked again at once")
				}
				refused(t, r, asr.Params{Language: "en"}, asr.ErrLanguage) // there is no other
				a.set(func() { a.away, a.late = nil, nil })
				time.Sleep(time.Minute)
				if got := decode(t, r, p, noise(1600, 1)); got.Engine != "a" {
					t.Errorf("a minute later: %q", got.Engine)
				}
			})
		})
	}
}

func TestUnnamedResultsAreCompleted(t *testing.T) {
	a, b := newFake("a"), newFake("b")
	a.wordy = false
	r := routerOf(t, engine(a), engine(b))
	if got := decode(t, r, asr.Params{Language: "haw"}, noise(1600, 1)); got.Engine != "a" || got.Language != "haw" {
		t.Errorf("engine %q, language %q", got.Engine, got.Language)
	}
}

func TestUnknownModelRefuses(t *testing.T) {
	r := build(t, router.Config{})
	if _, err := r.For("stt-9").Open(t.Context(), asr.Params{}); !errors.Is(err, asr.ErrLanguage) {
		t.Errorf("error %v", err)
	}
}

package router_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"steno/session/asr"
	"steno/session/asr/router"
	"steno/session/panics"
)

var spoken = []string{"de", "en", "fr", "it", "sv"}

// TestIdentifiedByTheHead writes the same audio in different blocks: same head, same language, same
// final.
func TestIdentifiedByTheHead(t *testing.T) {
	a := &identifyingEngine{fake: newFake("a")}
	r := routerOf(t, engine(a, spoken...))
	found := map[string]bool{}
	for seed := range 6 {
		for _, n := range []int{1, 1600, 3*asr.Rate - 1, 3 * asr.Rate, 3*asr.Rate + 1, 8 * asr.Rate} {
			audio := noise(n, seed)
			want := decode(t, r, asr.Params{}, audio)
			found[want.Language] = true
			a.set(func() { a.heard = nil })
			for _, block := range []int{160, 1600, 7919, n} {
				got, err := attempt(t.Context(), r.For("m"), asr.Params{}, audio, block)
				if err != nil || !reflect.DeepEqual(got, want) {
					t.Fatalf("%d samples in blocks of %d: %+v, %v; want %+v", n, block, got, err, want)
				}
			}
			if heard := slices.Compact(a.heard); !slices.Equal(heard, []int{min(n, 3*asr.Rate)}) {
				t.Fatalf("identified from %d samples of %d", heard, n)
			}
		}
	}
	if len(found) < 3 {
		t.Errorf("only %v were found: nothing is tested", found)
	}
}

// TestIdentifiedGoesToItsEngine has every language at another engine.
func TestIdentifiedGoesToItsEngine(t *testing.T) {
	a := &identifyingEngine{fake: newFake("a")}
	r := build(t, router.Config{
		Engines: []router.Engine{engine(a), engine(newFake("de"), "de"), engine(newFake("en"), "en")},
		Plans:   map[string]router.Plan{"m": {Engines: []string{"de", "en"}}},
	})
	found := map[string]bool{}
	for seed := range 12 {
		got := decode(t, r, asr.Params{}, noise(1600, seed))
		found[got.Engine] = true
		if got.Engine != got.Language || got.Fallback {
			t.Errorf("%q at engine %q, stood in %v", got.Language, got.Engine, got.Fallback)
		}
	}
	if len(found) != 2 {
		t.Errorf("found %v", found)
	}
}

// TestPartialsFollowIdentification speaks on after the language was found.
func TestPartialsFollowIdentification(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &identifyingEngine{fake: newFake("a")}
		r := routerOf(t, engine(a, spoken...))
		u, err := r.For("m").Open(t.Context(), asr.Params{Partials: true})
		if err != nil {
			t.Fatal(err)
		}
		audio := noise(5*asr.Rate, 3)
		say := func(samples []int16) {
			if err := errors.Join(u.Write(samples), u.Pause()); err != nil {
				t.Error(err)
			}
			synctest.Wait()
		}
		say(audio[:asr.Rate])
		if a.times() != 0 || a.pauses != 0 {
			t.Error("opened before the head was complete")
		}
		say(audio[asr.Rate : 3*asr.Rate])
		partial, err := u.Recv()
		if err != nil || partial.Final || len(partial.Words) != 10 || partial.Language == "" {
			t.Errorf("partial %+v, %v", partial, err)
		}
		if a.pauses != 1 {
			t.Errorf("%d pauses; want the one that still holds", a.pauses)
		}
		say(audio[3*asr.Rate:])
		if a.pauses != 2 {
			t.Errorf("%d pauses", a.pauses)
		}
		if err := u.End(); err != nil {
			t.Error(err)
		}
		if final, err := u.Recv(); err != nil || !final.Final || len(final.Words) != 17 {
			t.Errorf("final %+v, %v", final, err)
		}
		if err := u.Write(audio); err == nil {
			t.Error("written after the end")
		}
	})
}

// TestPauseIsTakenBack writes after a pause that no engine has been given.
func TestPauseIsTakenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &identifyingEngine{fake: newFake("a")}
		u, err := routerOf(t, engine(a, spoken...)).For("m").Open(t.Context(), asr.Params{})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(u.Write(noise(1600, 1)), u.Pause(), u.Write(noise(3*asr.Rate, 1))); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if a.times() != 1 || a.pauses != 0 {
			t.Errorf("opened %d times, %d pauses", a.times(), a.pauses)
		}
	})
}

// TestTooLongWhilePending bounds what is buffered while the language is unknown.
func TestTooLongWhilePending(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &identifyingEngine{fake: newFake("a")}
		r := routerOf(t, engine(a, spoken...))
		u, err := r.For("m").Open(t.Context(), asr.Params{})
		if err != nil {
			t.Fatal(err)
		}
		a.set(func() { a.unable = errGone })
		if err := u.Write(make([]int16, asr.MaxSamples)); err != nil {
			t.Errorf("within the bound: %v", err)
		}
		if err := u.Write(make([]int16, 1)); !errors.Is(err, asr.ErrTooLong) {
			t.Errorf("beyond: %v", err)
		}
		if _, err := u.Recv(); !errors.Is(err, asr.ErrTooLong) {
			t.Errorf("received %v", err)
		}
		if err := errors.Join(u.Write(nil), u.Pause(), u.End()); err == nil {
			t.Error("goes on after a failure")
		}
	})
}

// TestNothingFollowsTheEnd while the language is still being found.
func TestNothingFollowsTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &identifyingEngine{fake: newFake("a")}
		u, err := routerOf(t, engine(a, spoken...)).For("m").Open(t.Context(), asr.Params{})
		if err != nil {
			t.Fatal(err)
		}
		if err := u.End(); err != nil {
			t.Error(err)
		}
		for name, err := range map[string]error{"write": u.Write(noise(1, 1)), "pause": u.Pause(), "end": u.End()} {
			if err == nil {
				t.Errorf("%s after the end", name)
			}
		}
	})
}

// TestNothingToIdentify decides without an identifier's help.
func TestNothingToIdentify(t *testing.T) {
	a := &identifyingEngine{fake: newFake("a")}
	r := routerOf(t, engine(a, spoken...))
	if got := decode(t, r, asr.Params{}, nil); got.Language != "en" || len(a.heard) != 0 {
		t.Errorf("an empty utterance is in %q, %d identified", got.Language, len(a.heard))
	}
	a.set(func() { a.unable = asr.ErrLanguage })
	if got := decode(t, r, asr.Params{}, noise(1600, 1)); got.Language != "en" || got.Fallback {
		t.Errorf("none known: %q, stood in %v", got.Language, got.Fallback)
	}
}

// TestUnableIdentifier has an identifier that is always unavailable: utterances do not wait for it.
func TestUnableIdentifier(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &identifyingEngine{fake: newFake("a"), unable: errGone}
		r := routerOf(t, engine(a, spoken...))
		began := time.Now()
		u, err := r.For("m").Open(t.Context(), asr.Params{Partials: true})
		if err != nil {
			t.Fatal(err)
		}
		if p := a.last(); p.Language != "en" {
			t.Errorf("opened in %q", p.Language)
		}
		if err := u.End(); err != nil {
			t.Error(err)
		}
		if got, err := u.Recv(); err != nil || got.Fallback || time.Since(began) > 0 {
			t.Errorf("%+v after %v, %v", got, time.Since(began), err)
		}
		a.set(func() { a.unable = nil })
		time.Sleep(5 * time.Second)
		decode(t, r, asr.Params{}, noise(1600, 1)) // has it ask again
		synctest.Wait()
		decode(t, r, asr.Params{}, noise(1600, 1))
		if len(a.heard) == 0 {
			t.Error("not used when it became able")
		}
	})
}

// TestIdentifierAway waits for an identifier that was there, and does without it when it stays
// away.
func TestIdentifierAway(t *testing.T) {
	for _, back := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			a := &identifyingEngine{fake: newFake("a")}
			r := routerOf(t, engine(a, spoken...))
			audio := noise(1600, 2)
			want := decode(t, r, asr.Params{}, audio)
			if want.Language == "en" {
				t.Fatal("choose other audio: the default was found")
			}
			a.set(func() { a.unable = errGone })
			if back {
				time.AfterFunc(700*time.Millisecond, func() { a.set(func() { a.unable = nil }) })
			}
			got := decode(t, r, asr.Params{}, audio)
			if back && !reflect.DeepEqual(got, want) {
				t.Errorf("back in time: %+v, want %+v", got, want)
			}
			if !back && (got.Language != "en" || !got.Fallback) {
				t.Errorf("away: %q, stood in %v", got.Language, got.Fallback)
			}
		})
	}
}

// TestOtherIdentifierIsTheFallback has a second identifier, which finds another language and counts
// only where the first fails.
func TestOtherIdentifierIsTheFallback(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := &identifyingEngine{fake: newFake("a")}, &identifyingEngine{fake: newFake("b")}
		r := routerOf(t, engine(a, spoken...), engine(b, spoken...))
		audio := noise(1600, 2)
		if got := decode(t, r, asr.Params{}, audio); got.Fallback || len(a.heard) != 1 || len(b.heard) != 0 {
			t.Errorf("stood in %v, heard %d and %d times", got.Fallback, len(a.heard), len(b.heard))
		}
		a.set(func() { a.unable = errBroken })
		if got := decode(t, r, asr.Params{}, audio); !got.Fallback || got.Engine != "a" || len(b.heard) != 1 {
			t.Errorf("stood in %v at %q, heard %d times", got.Fallback, got.Engine, len(b.heard))
		}
		a.set(func() { a.unable = asr.ErrLanguage })
		time.Sleep(5 * time.Second)
		if got := decode(t, r, asr.Params{}, audio); got.Fallback || len(b.heard) != 2 {
			t.Errorf("unknown to the first: stood in %v, heard %d times", got.Fallback, len(b.heard))
		}
	})
}

// TestEngineAwayWhenIdentified keeps the utterance until an engine is there.
func TestEngineAwayWhenIdentified(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &identifyingEngine{fake: newFake("a")}
		r := routerOf(t, engine(a, spoken...), engine(newFake("b"), spoken...))
		audio := noise(4*asr.Rate, 1)
		want := decode(t, r, asr.Params{}, audio)
		a.set(func() { a.away = errGone })
		time.AfterFunc(700*time.Millisecond, func() { a.set(func() { a.away = nil }) })
		if got := decode(t, r, asr.Params{}, audio); !reflect.DeepEqual(got, want) {
			t.Errorf("back in time: %+v, want %+v", got, want)
		}
		a.set(func() { a.away = errGone })
		got := decode(t, r, asr.Params{}, audio)
		if got.Engine != "b" || !got.Fallback || got.Language != want.Language {
			t.Errorf("away: %q in %q, stood in %v", got.Engine, got.Language, got.Fallback)
		}
	})
}

// TestAllAwayWhenIdentified loses the utterance in the end, and refuses the next ones immediately.
func TestAllAwayWhenIdentified(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &identifyingEngine{fake: newFake("a")}
		a.away = errGone
		r := routerOf(t, engine(a, spoken...))
		began := time.Now()
		refused(t, r, asr.Params{}, asr.ErrUnavailable)
		if took := time.Since(began); took < 5*time.Second || took > 10*time.Second {
			t.Errorf("lost after %v", took)
		}
		if _, err := r.For("m").Open(t.Context(), asr.Params{}); !errors.Is(err, asr.ErrUnavailable) {
			t.Errorf("the next one: %v", err)
		}
	})
}

// TestCloseEndsTheWait closes the router under an utterance that waits for its language, in three
// states.
func TestCloseEndsTheWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &identifyingEngine{fake: newFake("a")}
		r := routerOf(t, engine(a, spoken...))
		open := func(n int) asr.Stream {
			u, err := r.For("m").Open(t.Context(), asr.Params{})
			if err == nil {
				err = u.Write(noise(n, 1))
			}
			if err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			return u
		}
		decoding := open(4 * asr.Rate)
		a.set(func() { a.unable = errGone })
		short, waiting := open(asr.Rate), open(4*asr.Rate)
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		for _, u := range []asr.Stream{short, waiting} {
			if _, err := u.Recv(); !errors.Is(err, asr.ErrUnavailable) {
				t.Errorf("error %v", err)
			}
		}
		if err := decoding.End(); err != nil {
			t.Error(err)
		}
		if got, err := decoding.Recv(); err != nil || !got.Final {
			t.Errorf("with its engine: %v, %v", got, err)
		}
		late, err := r.For("m").Open(t.Context(), asr.Params{})
		if err == nil {
			_ = late.End()
			_, err = late.Recv()
		}
		if !errors.Is(err, asr.ErrUnavailable) {
			t.Errorf("after the close: %v", err)
		}
	})
}

// TestFinalOutlivesTheContext expects io.EOF after the final, even when all is cancelled.
func TestFinalOutlivesTheContext(t *testing.T) {
	r := routerOf(t, engine(&identifyingEngine{fake: newFake("a")}, spoken...))
	for range 20 {
		ctx, cancel := context.WithCancel(t.Context())
		u, err := r.For("m").Open(ctx, asr.Params{})
		if err == nil {
			err = errors.Join(u.Write(noise(1600, 1)), u.End())
		}
		if _, recv := u.Recv(); errors.Join(err, recv) != nil {
			t.Fatal(err, recv)
		}
		cancel()
		if _, err := u.Recv(); err == nil || err.Error() != "EOF" {
			t.Fatalf("after the final: %v", err)
		}
	}
}

// panickingIdentifier is an engine that panics when it identifies a language.
type panickingIdentifier struct{ *identifyingEngine }

func (panickingIdentifier) Identify(_ context.Context, _ []int16, among []string) (string, error) {
	if len(among) == 0 {
		return "en", nil
	}
	panic("identify")
}

// A panic while the language is looked for fails the utterance, and nothing else.
func TestAPanicWhilePendingFailsTheUtterance(t *testing.T) {
	a := engine(newFake("a"), spoken...)
	a.Recognizer = panickingIdentifier{&identifyingEngine{fake: newFake("a")}}
	r := routerOf(t, a)
	if got, err := attempt(t.Context(), r.For("m"), asr.Params{}, noise(1600, 1), 160); panics.In(err) == nil {
		t.Errorf("%+v, %v", got, err)
	}
}

package scripted_test

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"steno/session/asr"
	"steno/session/asr/asrtest"
	"steno/session/asr/scripted"
)

// paused opens an utterance, writes a second and pauses.
func paused(t *testing.T, ctx context.Context, r *scripted.Recognizer) asr.Stream {
	t.Helper()
	u, err := r.Open(ctx, asr.Params{})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(u.Pause(), u.Write(asrtest.Ramp(asr.Rate, 1)), u.Pause(), u.Write(nil), u.Pause()); err !=
		nil {
		t.Fatal(err)
	}
	return u
}

// finalIn ends an utterance and expects the final after that time.
func finalIn(t *testing.T, u asr.Stream, want time.Duration) {
	t.Helper()
	begin := time.Now()
	if err := u.End(); err != nil {
		t.Fatal(err)
	}
	if r, err := u.Recv(); err != nil || !r.Final || time.Since(begin) != want {
		t.Errorf("%+v, %v after %v; want the final after %v", r, err, time.Since(begin), want)
	}
	if _, err := u.Recv(); err != io.EOF {
		t.Errorf("after the final: %v", err)
	}
}

func TestAPauseBeginsTheFinal(t *testing.T) {
	for _, slots := range []int{0, 1} {
		for pause, want := range map[time.Duration]time.Duration{
			0: time.Second, 400 * time.Millisecond: 600 * time.Millisecond, time.Second: 0, time.Hour: 0,
		} {
			synctest.Test(t, func(t *testing.T) {
				r := scripted.New(scripted.Config{Factor: 1, Slots: slots})
				u := paused(t, t.Context(), r)
				time.Sleep(pause)
				finalIn(t, u, want)
				finalIn(t, paused(t, t.Context(), r), time.Second) // the slot came back
			})
		}
	}
}

func TestSpeechAfterAPauseGivesTheSlotBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := scripted.New(scripted.Config{Delay: time.Second, Slots: 1})
		u := paused(t, t.Context(), r)
		busy := paused(t, t.Context(), r) // finds no slot
		time.Sleep(500 * time.Millisecond)
		if err := u.Write(asrtest.Ramp(1, 1)); err != nil {
			t.Fatal(err)
		}
		finalIn(t, busy, time.Second)
		finalIn(t, u, time.Second)
	})
}

// What was begun in vain holds no slot longer than its decode would, nor longer than its utterance.
func TestAForgottenPauseGivesTheSlotBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := scripted.New(scripted.Config{Delay: time.Minute, Slots: 1})
		ctx, cancel := context.WithCancel(t.Context())
		abandoned := paused(t, ctx, r)
		cancel()
		synctest.Wait()
		long := paused(t, t.Context(), r)
		if err := long.Write(make([]int16, asr.MaxSamples)); !errors.Is(err, asr.ErrTooLong) {
			t.Errorf("too long: %v", err)
		}
		finalIn(t, paused(t, t.Context(), r), time.Minute)
		paused(t, t.Context(), r)
		time.Sleep(time.Minute)
		synctest.Wait()
		finalIn(t, paused(t, t.Context(), r), time.Minute)
		if err := abandoned.Pause(); !errors.Is(err, context.Canceled) {
			t.Errorf("pause: %v", err)
		}
	})
}

func TestModels(t *testing.T) {
	some, err := scripted.New(scripted.Config{Languages: []string{"fr", "de"}}).Models(t.Context())
	if err != nil || len(some) != 1 || len(some[0].Languages) != 2 || !some[0].Partials || some[0].Detects {
		t.Errorf("models %+v, %v", some, err)
	}
	all, err := scripted.New(scripted.Config{}).Models(t.Context())
	if err != nil || len(all) != 1 || len(all[0].Languages) != 99 || all[0].Languages[0] != "en" {
		t.Errorf("models %+v, %v", all, err)
	}
}

package router_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"steno/session/asr"
	"steno/session/asr/router"
)

// flakyEngine is an identifying fake that dies now and then, is away for a while and has lost what
// it had; and that loses an utterance now and then.
type flakyEngine struct {
	identifyingEngine
	chance  func() float64 // in [0,1)
	outages []outage
}

type outage struct{ from, to time.Time }

// newWild returns one whose outages last as long as that at most.
func newFlakyEngine(name string, seed uint64, longest time.Duration) *flakyEngine {
	var mu sync.Mutex
	random := rand.New(rand.NewPCG(seed, 1))
	w := &flakyEngine{identifyingEngine: identifyingEngine{fake: newFake(name)}, chance: func() float64 {
		mu.Lock()
		defer mu.Unlock()
		return random.Float64()
	}}
	for at, end := time.Now(), time.Now().Add(5*time.Minute); at.Before(end); {
		from := at.Add(time.Duration(w.chance() * float64(4*time.Second)))
		at = from.Add(time.Duration(w.chance() * float64(longest)))
		w.outages = append(w.outages, outage{from, at})
	}
	return w
}

// died reports whether the engine was away at any time from one to the other.
func (w *flakyEngine) died(from, to time.Time) bool {
	return slices.ContainsFunc(w.outages, func(o outage) bool { return !o.to.Before(from) && !o.from.After(to) })
}

func (w *flakyEngine) dead() bool { return w.died(time.Now(), time.Now()) }

func (w *flakyEngine) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	if w.dead() {
		return nil, errGone
	}
	u, err := w.identifyingEngine.Open(ctx, p)
	return &flakyStream{u, w, time.Now()}, err
}

func (w *flakyEngine) Identify(ctx context.Context, samples []int16, among []string) (string, error) {
	if w.dead() {
		return "", errGone
	}
	return w.identifyingEngine.Identify(ctx, samples, among)
}

type flakyStream struct {
	asr.Stream
	w      *flakyEngine
	opened time.Time
}

// Recv takes a while, in which the engine may die.
func (u *flakyStream) Recv() (asr.Result, error) {
	time.Sleep(time.Duration(u.w.chance() * float64(200*time.Millisecond)))
	if u.w.died(u.opened, time.Now()) || u.w.chance() < 0.1 {
		return asr.Result{}, fmt.Errorf("%w: died", errGone)
	}
	return u.Stream.Recv()
}

// keepOn writes an utterance until it has its final. As a session does, it retries immediately
// where the utterance was lost.
func keepOn(t *testing.T, r asr.Recognizer, p asr.Params, samples []int16, block int) (final asr.Result) {
	for p.Until = time.Now().Add(time.Minute); time.Now().Before(p.Until); p.Attempt = min(p.Attempt+1, 9) {
		ctx, cancel := context.WithCancel(t.Context())
		u, err := r.Open(ctx, p)
		if err != nil {
			cancel()
			t.Errorf("open: %v", err)
			return final
		}
		for b := range slices.Chunk(samples, block) {
			if u.Write(b) != nil {
				break
			}
			time.Sleep(time.Millisecond)
		}
		_ = u.End()
		final, err = u.Recv()
		cancel()
		if err == nil {
			return final
		}
		if !errors.Is(err, asr.ErrUnavailable) {
			t.Errorf("recv: %v", err)
		}
	}
	t.Error("no final")
	return final
}

// TestStorm has engines die under many utterances: every one has its final, the same as ever where
// the same engine answered.
func TestStorm(t *testing.T) {
	for name, c := range map[string]struct {
		params  asr.Params
		outages time.Duration
	}{
		"fixed":      {asr.Params{Language: "fr"}, 4 * time.Second},
		"identified": {asr.Params{Languages: spoken}, 4 * time.Second},
		"recorded":   {asr.Params{Language: "de", Priority: asr.Replay}, 20 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { storm(t, c.params, c.outages) })
		})
	}
}

func storm(t *testing.T, p asr.Params, outages time.Duration) {
	calm := routerOf(t, engine(&identifyingEngine{fake: newFake("a")}, spoken...))
	var engines []router.Engine
	for i, name := range []string{"a", "b", "c"} {
		engines = append(engines, router.Engine{Name: name, Recognizer: newFlakyEngine(name, uint64(i), outages),
			Languages: spoken})
	}
	r := routerOf(t, engines...)
	var mu sync.Mutex
	stood := map[bool]int{}
	var all sync.WaitGroup
	for n := range 150 {
		audio := noise(100*(1+n), n)
		want := decode(t, calm, p, audio)
		all.Go(func() {
			time.Sleep(time.Duration(n) * 50 * time.Millisecond)
			got := keepOn(t, r.For("m"), p, audio, 160*(1+n%20))
			mu.Lock()
			stood[got.Fallback]++
			mu.Unlock()
			if got.Fallback {
				compareFallback(t, got, want)
			} else if !reflect.DeepEqual(got, want) {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
	all.Wait()
	if min(stood[true], stood[false]) < 10 {
		t.Errorf("%d stood in, %d did not: nothing is tested", stood[true], stood[false])
	}
}

// compareFallback expects the words of another engine, and all of them.
func compareFallback(t *testing.T, got, want asr.Result) {
	if len(got.Words) != len(want.Words) {
		t.Errorf("%d words, want %d", len(got.Words), len(want.Words))
		return
	}
	for i, w := range got.Words {
		if w.Text[len(got.Engine):] != want.Words[i].Text[len(want.Engine):] || w.Start != want.Words[i].Start {
			t.Errorf("got %+v, want %+v", w, want.Words[i])
		}
	}
}

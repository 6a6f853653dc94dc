package router_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"steno/session/asr"
	"steno/session/asr/router"
	"steno/session/asr/scripted"
)

// fake is scripted under a name: it takes any language and can be away. Its words start with its
// name.
type fake struct {
	name string

	mu     sync.Mutex
	away   error         // what Open fails with
	slow   time.Duration // what a failing Open takes
	late   error         // what Recv fails with
	wordy  bool          // whether results name engine and language
	opened []asr.Params
	asked  int // Opens, failed ones included
	pauses int
}

func newFake(name string) *fake { return &fake{name: name, wordy: true} }

func (f *fake) set(change func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change()
}

func (f *fake) last() asr.Params {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.opened) == 0 {
		return asr.Params{}
	}
	return f.opened[len(f.opened)-1]
}

func (f *fake) times() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.asked
}

func (f *fake) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	f.mu.Lock()
	away, slow := f.away, f.slow
	f.asked++
	if away == nil {
		f.opened = append(f.opened, p)
	}
	f.mu.Unlock()
	if away != nil {
		select {
		case <-time.After(slow):
			return nil, away
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	u, err := scripted.New(scripted.Config{}).Open(ctx, p)
	return &fakeStream{u, f}, err
}

type fakeStream struct {
	asr.Stream
	f *fake
}

func (u *fakeStream) Pause() error {
	u.f.set(func() { u.f.pauses++ })
	return u.Stream.Pause()
}

func (u *fakeStream) Recv() (asr.Result, error) {
	r, err := u.Stream.Recv()
	u.f.mu.Lock()
	defer u.f.mu.Unlock()
	if err == nil && u.f.late != nil {
		return asr.Result{}, u.f.late
	}
	r.Engine = u.f.name
	if !u.f.wordy {
		r.Engine, r.Language = "", ""
	}
	for i := range r.Words {
		r.Words[i].Text = u.f.name + "-" + r.Words[i].Text
	}
	return r, err
}

// lists is a fake that lists models.
type listingEngine struct {
	*fake
	models []asr.Model
	mute   error // what Models fails with
}

func (l *listingEngine) Models(context.Context) ([]asr.Model, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.models), l.mute
}

// identifies is a fake that identifies languages by the sum of the samples: a function of the audio
// alone.
type identifyingEngine struct {
	*fake
	unable error // what Identify fails with
	heard  []int // the lengths of what was identified
}

func (i *identifyingEngine) Identify(ctx context.Context, samples []int16, among []string) (string, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.unable != nil {
		return "", i.unable
	}
	if len(among) == 1 {
		return among[0], ctx.Err() // only asked whether it could
	}
	i.heard = append(i.heard, len(samples))
	var sum uint32
	for _, s := range samples {
		sum = (sum ^ uint32(uint16(s))) * 16777619
	}
	sum ^= sum >> 15
	sorted := slices.Sorted(slices.Values(among))
	return sorted[sum%uint32(len(sorted))], nil
}

func engine(r asr.Recognizer, languages ...string) router.Engine {
	var name string
	switch r := r.(type) {
	case *fake:
		name = r.name
	case *listingEngine:
		name = r.name
	case *identifyingEngine:
		name = r.name
	}
	return router.Engine{Name: name, Recognizer: r, Languages: languages}
}

// routerOf returns a router with a plan "m" of all engines in the order given.
func routerOf(t *testing.T, engines ...router.Engine) *router.Router {
	t.Helper()
	var plan router.Plan
	for _, e := range engines {
		plan.Engines = append(plan.Engines, e.Name)
	}
	return build(t, router.Config{Engines: engines, Plans: map[string]router.Plan{"m": plan}})
}

func build(t *testing.T, c router.Config) *router.Router {
	t.Helper()
	r, err := router.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// noise is audio of n samples that differs from its first sample to its last.
func noise(n, seed int) []int16 {
	s := make([]int16, n)
	for i := range s {
		s[i] = int16((i + seed) * 7919)
	}
	return s
}

// decode writes an utterance as a whole and returns its final.
func decode(t *testing.T, r *router.Router, p asr.Params, samples []int16) asr.Result {
	t.Helper()
	result, err := attempt(t.Context(), r.For("m"), p, samples, len(samples))
	if err != nil {
		t.Fatalf("decode: %v", err)
	}
	return result
}

// attempt writes an utterance in blocks, once.
func attempt(ctx context.Context, r asr.Recognizer, p asr.Params, samples []int16, block int) (asr.Result, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	u, err := r.Open(ctx, p)
	if err != nil {
		return asr.Result{}, err
	}
	for b := range slices.Chunk(samples, max(block, 1)) {
		if u.Write(b) != nil {
			break
		}
	}
	_ = u.End() // Recv tells why not
	for {
		result, err := u.Recv()
		if err != nil || result.Final {
			return result, err
		}
	}
}

func refused(t *testing.T, r *router.Router, p asr.Params, want error) {
	t.Helper()
	if result, err := attempt(t.Context(), r.For("m"), p, noise(1600, 1), 1600); !errors.Is(err, want) {
		t.Errorf("%+v: got %v, %v; want %v", p, result, err, want)
	}
}

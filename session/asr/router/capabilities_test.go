package router_test

import (
	"context"
	"errors"
	"testing"

	"steno/session/asr"
)

// capableEngine is a fake that can do everything else, or fails at it.
type capableEngine struct {
	identifyingEngine
	err error
}

func (h *capableEngine) Punctuate(context.Context, string, string) (string, error) {
	return h.name, h.err
}

func (h *capableEngine) Diarize(context.Context, []int16, asr.Speakers) ([]asr.Turn, error) {
	return []asr.Turn{{End: len(h.name)}}, h.err
}

func (h *capableEngine) Denoise(context.Context) (asr.DenoiseStream, error) { return nil, h.err }

func TestCapabilities(t *testing.T) {
	first := &capableEngine{identifyingEngine: identifyingEngine{fake: newFake("first"), unable: errGone}, err: errGone}
	second := &capableEngine{identifyingEngine: identifyingEngine{fake: newFake("2")}}
	named := engine(newFake("plain"))
	a, b := named, named
	a.Name, a.Recognizer = "first", first
	b.Name, b.Recognizer = "2", second
	r := routerOf(t, named, a, b)
	ctx := t.Context()

	language, err := r.Identify(ctx, noise(1600, 1), []string{"fr"})
	if language != "fr" || err != nil {
		t.Errorf("identified %q, %v", language, err)
	}
	if text, err := r.Punctuate(ctx, "en", ""); text != "2" || err != nil {
		t.Errorf("punctuated %q, %v", text, err)
	}
	if turns, err := r.Diarize(ctx, nil, asr.Speakers{}); len(turns) != 1 || turns[0].End != 1 || err != nil {
		t.Errorf("diarized %v, %v", turns, err)
	}
	if _, err := r.Denoise(ctx); err != nil {
		t.Errorf("denoised: %v", err)
	}
}

func TestCapabilityFailures(t *testing.T) {
	h := &capableEngine{identifyingEngine: identifyingEngine{fake: newFake("h"), unable: asr.ErrLanguage},
		err: asr.ErrLanguage}
	plain := engine(newFake("plain"))
	able := plain
	able.Name, able.Recognizer = "h", h
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := routerOf(t, plain).Punctuate(ctx, "en", ""); !errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("no engine offers it: %v", err)
	}
	r := routerOf(t, plain, able)
	if _, err := r.Identify(ctx, nil, nil); !errors.Is(err, asr.ErrLanguage) {
		t.Errorf("no engine knows the language: %v", err)
	}
	cancel()
	if _, err := r.Punctuate(ctx, "en", ""); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

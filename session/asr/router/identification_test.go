package router_test

import (
	"context"
	"testing"

	"steno/session/asr"
)

// loadsLate identifies languages by a model that it loads when there is something to find out.
type lateIdentifier struct {
	*fake
	loaded bool
}

func (l *lateIdentifier) Identify(ctx context.Context, _ []int16, among []string) (string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.loaded = l.loaded || len(among) != 1
	return "en", ctx.Err()
}

// TestIdentifierIsNotLoaded has the router find out what engines can do, and speech of known
// language.
func TestIdentifierIsNotLoaded(t *testing.T) {
	e := &lateIdentifier{fake: newFake("a")}
	given := engine(e.fake, "en", "fr")
	given.Recognizer = e
	r := routerOf(t, given)
	if !r.Detects(t.Context(), "m") {
		t.Error("an engine that identifies languages does not detect them")
	}
	decode(t, r, asr.Params{Language: "fr"}, noise(1600, 1))
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.loaded {
		t.Error("the model was loaded, and not used")
	}
}

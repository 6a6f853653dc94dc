package router

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"steno/session/asr"
)

// identifyTimeout bounds one identification.
const identifyTimeout = 30 * time.Second

// States of an engine's capability to identify languages.
const (
	unknown int32 = iota
	able
	unable
)

// identifier is an engine's capability to identify languages. The Go interface alone proves
// nothing: a client of an engine program implements it whatever the program offers.
type identifier struct {
	state        atomic.Int32
	availability availability
}

// silence and sole are what an engine is asked only to see whether it answers. With one language
// there is nothing to find out, so that an engine need not load a model for it.
var (
	silence = make([]int16, asr.Rate)
	sole    = []string{"en"}
)

// survey finds out whether an engine that is present can identify languages. One that could, and
// has not been able to for longer than expiry, has lost the capability.
func (i *identifier) survey(ctx context.Context, by asr.Identifier) {
	if by == nil {
		i.state.Store(unable)
		return
	}
	away := i.availability.away()
	if i.state.Load() == able && away == 0 {
		return
	}
	_, err := by.Identify(ctx, silence, sole)
	switch {
	case err == nil || errors.Is(err, asr.ErrLanguage):
		i.state.Store(able)
		i.availability.answered()
	case ctx.Err() == nil && (i.state.Load() != able || away > expiry):
		i.state.Store(unable)
	}
}

// ask identifies a language, unless the capability is away and was tried not long ago.
func (i *identifier) ask(ctx context.Context, by asr.Identifier, samples []int16, among []string) (string, error) {
	ok, away := i.availability.ask()
	if !ok {
		return "", asr.ErrUnavailable
	}
	begun := time.Now()
	call, cancel := context.WithTimeout(ctx, identifyTimeout)
	defer cancel()
	language, err := by.Identify(call, samples, among)
	switch {
	case err == nil || errors.Is(err, asr.ErrLanguage):
		i.state.Store(able)
		i.availability.answered()
	case ctx.Err() != nil:
		i.availability.withdraw(away)
		return "", ctx.Err()
	default:
		i.availability.failed(begun, away)
	}
	return language, err
}

// identifies reports whether an engine can identify languages, or may turn out to.
func (r *Router) identifies() bool {
	return slices.ContainsFunc(r.engines, func(e *engine) bool {
		return e.catalog.identifier != nil && e.catalog.identify.state.Load() != unable
	})
}

// identify returns the language spoken, by the first engine that can; "" if none can or the
// language is none of among. If an engine has been away for less than the patience it fails with
// ErrUnavailable, so that the caller tries again; after that the next engine is the fallback.
func (r *Router) identify(ctx context.Context, samples []int16, among []string,
	patience time.Duration) (language string, fallback bool, err error) {
	for _, e := range r.engines {
		i := &e.catalog.identify
		if e.catalog.identifier == nil || i.state.Load() == unable {
			continue
		}
		language, err := i.ask(ctx, e.catalog.identifier, samples, slices.Clone(among))
		switch {
		case err == nil && slices.Contains(among, language):
			return language, fallback, nil
		case err == nil:
			return "", fallback, nil
		case ctx.Err() != nil:
			return "", false, ctx.Err()
		case errors.Is(err, asr.ErrLanguage):
			continue
		case i.availability.away() < patience:
			return "", false, asr.ErrUnavailable
		}
		fallback = true
	}
	return "", fallback, nil
}

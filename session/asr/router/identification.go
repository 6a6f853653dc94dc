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

// What is known of an engine's ability to identify languages.
const (
	unknown int32 = iota
	able
	unable
)

// identifier is an engine's ability to identify languages. The interface alone does not tell: a client of engines has
// the method, whatever the engine at the other end can.
type identifier struct {
	state    atomic.Int32
	presence presence
}

// silence is what engines are asked about to find out whether they answer at all.
var silence = make([]int16, asr.Rate)

// survey finds out whether an engine that is there can identify languages. One that could and cannot for longer than
// lists remember has lost the ability.
func (i *identifier) survey(ctx context.Context, by asr.Identifier) {
	if by == nil {
		i.state.Store(unable)
		return
	}
	away := i.presence.away()
	if i.state.Load() == able && away == 0 {
		return
	}
	_, err := by.Identify(ctx, silence, nil)
	switch {
	case err == nil || errors.Is(err, asr.ErrLanguage):
		i.state.Store(able)
		i.presence.answered()
	case ctx.Err() == nil && (i.state.Load() != able || away > remembered):
		i.state.Store(unable)
	}
}

// ask identifies, unless the ability is away and was tried not long ago.
func (i *identifier) ask(ctx context.Context, by asr.Identifier, samples []int16, among []string) (string, error) {
	ok, away := i.presence.ask()
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
		i.presence.answered()
	case ctx.Err() != nil:
		i.presence.withdraw(away)
		return "", ctx.Err()
	default:
		i.presence.failed(begun, away)
	}
	return language, err
}

// identifies tells whether there is, or may be, an engine that identifies languages.
func (r *Router) identifies() bool {
	return slices.ContainsFunc(r.engines, func(e *engine) bool {
		return e.catalog.identifier != nil && e.catalog.identify.state.Load() != unable
	})
}

// identify returns which of the languages is spoken, by the first engine that can; "" if none can, or the language is
// none of them. An engine that is away for less than the patience is waited for by failing with ErrUnavailable; beyond
// that the next one stands in.
func (r *Router) identify(ctx context.Context, samples []int16, among []string, patience time.Duration) (language string, fallback bool, err error) {
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
		case i.presence.away() < patience:
			return "", false, asr.ErrUnavailable
		}
		fallback = true
	}
	return "", fallback, nil
}

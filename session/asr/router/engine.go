package router

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"steno/session/asr"
)

// refusalHolds is how long an engine is not asked again for a language that it listed and then
// refused.
const refusalHolds = time.Minute

// maxRefusals bounds the memory for refusals. There are not nearly as many languages.
const maxRefusals = 512

// engine is a recognizer and what the router knows of it.
type engine struct {
	name         string
	recognizer   asr.Recognizer
	only         []string // languages it may be used for; empty: all
	all          []string // languages there are; empty: unknown
	availability availability
	catalog      *catalog

	mu      sync.Mutex
	refused map[string]time.Time // time of refusal by language; "": detection
}

func newEngine(r *Router, e Engine, c Config) *engine {
	made := &engine{
		name: e.Name, recognizer: e.Recognizer, only: slices.Clone(e.Languages), all: slices.Clone(c.Languages),
		refused: make(map[string]time.Time),
	}
	made.catalog = newCatalog(r, e.Recognizer, c.Refresh, made.modelsAnswered)
	return made
}

// modelsAnswered is called when the engine has listed its models; changed: their languages are
// others than before.
func (e *engine) modelsAnswered(changed bool) {
	e.availability.expect()
	if !changed {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	clear(e.refused)
}

// has reports whether the engine claims a language. An engine that has never listed its models is
// assumed to have every language that it may be used for.
func (e *engine) has(code string) bool {
	if len(e.only) > 0 && !slices.Contains(e.only, code) || e.refuses(code) {
		return false
	}
	if known := e.catalog.latest.Load(); known != nil {
		return known.has[code]
	}
	return len(e.only) > 0 || len(e.all) == 0 || slices.Contains(e.all, code)
}

// codes returns the languages that the engine is known to have, in its order. The slice may be
// shared.
func (e *engine) codes() []string {
	known := e.catalog.latest.Load()
	switch {
	case known != nil && len(e.only) == 0:
		return known.codes
	case known != nil:
		return slices.DeleteFunc(slices.Clone(e.only), func(code string) bool { return !known.has[code] })
	case len(e.only) > 0:
		return e.only
	case e.catalog.undecided():
		return nil // it may list some yet
	}
	return e.all
}

// detects reports whether one of the engine's models detects all the languages. If best is set the
// model must be the preferred one for each: a model of a hundred languages may know each less well
// than the one made for it.
func (e *engine) detects(among []string, best bool) bool {
	known := e.catalog.latest.Load()
	return known != nil && !e.refuses("") && slices.ContainsFunc(known.models, func(m asr.Model) bool {
		return m.Detects && !slices.ContainsFunc(among, func(code string) bool {
			return !slices.Contains(m.Languages, code) || best && known.preferred(code) != m.Name
		})
	})
}

// takesContext reports whether the engine has a model for which use holds, or may turn out to have
// one.
func (e *engine) takesContext(use func(asr.Model) bool) bool {
	if known := e.catalog.latest.Load(); known != nil {
		return slices.ContainsFunc(known.models, use)
	}
	if e.catalog.lister == nil {
		return asr.TakesContext(e.recognizer, nil)
	}
	return e.catalog.undecided()
}

func (e *engine) refuses(code string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	at, ok := e.refused[code]
	return ok && time.Since(at) < refusalHolds
}

func (e *engine) refuse(code string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.refused) >= maxRefusals {
		clear(e.refused)
	}
	e.refused[code] = time.Now()
}

// openAlways opens an utterance even if the engine is away, since there is no other.
func (e *engine) openAlways(ctx context.Context, p asr.Params) (asr.Stream, error) {
	begun := time.Now()
	u, err := e.recognizer.Open(ctx, p)
	switch {
	case err == nil || errors.Is(err, asr.ErrLanguage):
		e.availability.answered()
	case ctx.Err() == nil:
		e.availability.failed(begun, true)
	}
	return u, err
}

// openIfPresent opens an utterance unless the engine is away and was asked not long ago. If it is
// away the attempt takes no longer than limit. Errors: ErrUnavailable, ErrLanguage, or the
// context's.
func (e *engine) openIfPresent(ctx context.Context, p asr.Params, limit time.Duration) (asr.Stream, error) {
	ok, away := e.availability.ask()
	if !ok {
		return nil, fmt.Errorf("%w: engine %q is away", asr.ErrUnavailable, e.name)
	}
	begun := time.Now()
	var u asr.Stream
	var err error
	if away {
		u, err = openWithin(ctx, limit, e.recognizer, p)
	} else {
		u, err = e.recognizer.Open(ctx, p)
	}
	switch {
	case err == nil || errors.Is(err, asr.ErrLanguage):
		e.availability.answered()
		return u, err
	case ctx.Err() != nil:
		e.availability.withdraw(away)
		return nil, ctx.Err()
	case errors.Is(err, asr.ErrUnavailable):
		err = fmt.Errorf("engine %q: %w", e.name, err)
	default: // permanent for this engine, not for others
		err = fmt.Errorf("%w: engine %q: %w", asr.ErrUnavailable, e.name, err)
	}
	e.availability.failed(begun, away)
	return nil, err
}

// openWithin opens an utterance, and abandons it if the engine has not accepted it within limit.
func openWithin(ctx context.Context, limit time.Duration, r asr.Recognizer, p asr.Params) (asr.Stream, error) {
	ctx, cancel := context.WithCancel(ctx)
	timer := time.AfterFunc(limit, cancel)
	u, err := r.Open(ctx, p)
	if !timer.Stop() {
		return nil, fmt.Errorf("%w: no answer in time", asr.ErrUnavailable)
	}
	if err != nil {
		cancel()
	}
	return u, err
}

// available reports whether the engine answered the last request of any kind.
func (e *engine) available() bool {
	at, ok := e.catalog.lastAnswer()
	return ok && !e.availability.awayAfter(at)
}

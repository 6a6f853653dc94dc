package router

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"steno/session/asr"
)

// plan is the recognizer of one model of the API: engines in order of preference.
type plan struct {
	router          *Router
	engines         []*engine
	byLanguage      map[string][]*engine
	all             []*engine // each engine of the plan once, in order
	defaultLanguage string    // may be empty
	only            []string  // empty: all
	decodes         int
	patience        time.Duration
	replayPatience  time.Duration
}

func newPlan(r *Router, given Plan, c Config, byName map[string]*engine) *plan {
	named := func(names []string) (engines []*engine) {
		for _, name := range names {
			engines = append(engines, byName[name])
		}
		return engines
	}
	p := &plan{
		router: r, engines: named(given.Engines), byLanguage: make(map[string][]*engine),
		defaultLanguage: given.Default, only: slices.Clone(given.Only), decodes: given.Decodes,
		patience: orDefault(c.Patience, time.Second), replayPatience: orDefault(c.ReplayPatience, 10*time.Second),
	}
	p.all = slices.Clone(p.engines)
	for _, code := range slices.Sorted(maps.Keys(given.ByLanguage)) {
		p.byLanguage[code] = named(given.ByLanguage[code])
		for _, e := range p.byLanguage[code] {
			if !slices.Contains(p.all, e) {
				p.all = append(p.all, e)
			}
		}
	}
	return p
}

func orDefault(d, otherwise time.Duration) time.Duration {
	if d <= 0 {
		return otherwise
	}
	return d
}

// Open starts an utterance on the preferred engine, or on a fallback. Where none accepts it, Open
// tries again until q.Until, and then fails with ErrUnavailable.
func (p *plan) Open(ctx context.Context, q asr.Params) (s asr.Stream, err error) {
	if q.Attempt > maxAttempts {
		return nil, fmt.Errorf("%w: the utterance was lost %d times", asr.ErrNoOther, q.Attempt)
	}
	q.Decodes = p.decodes
	err = await(ctx, q.Until, maxOpenPause, func() (err error) {
		s, err = p.openNow(ctx, q)
		return err
	})
	return s, err
}

// openNow is one attempt to open an utterance.
func (p *plan) openNow(ctx context.Context, q asr.Params) (asr.Stream, error) {
	for _, e := range p.all {
		e.catalog.awaitFirst(ctx)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if q.Language == "" {
		return p.detect(ctx, q)
	}
	return p.open(ctx, q, false)
}

// open starts an utterance of known language. If fallback is set all its results state so.
func (p *plan) open(ctx context.Context, q asr.Params, fallback bool) (asr.Stream, error) {
	q.Languages = nil
	for {
		engines := p.enginesHaving(q.Language)
		if len(engines) == 0 {
			return nil, asr.ErrLanguage
		}
		if q.Passed >= len(engines) {
			return nil, asr.ErrNoOther
		}
		engines, fallback = engines[q.Passed:], fallback || q.Passed > 0
		if len(engines) == 1 && !fallback {
			return engines[0].openAlways(ctx, q)
		}
		u, _, err := p.openFirst(ctx, engines, q, q.Language, fallback)
		if len(engines) == 1 || !errors.Is(err, asr.ErrLanguage) {
			return u, err
		}
		// The engine has refused a language that it had listed: try without it.
	}
}

// TakesContext implements [asr.Contextual]: an engine that may decode one of the languages uses
// context, or has not yet listed what it has.
func (p *plan) TakesContext(languages []string) bool {
	return slices.ContainsFunc(p.all, func(e *engine) bool {
		return e.takesContext(func(m asr.Model) bool {
			return m.Context && (len(languages) == 0 || slices.ContainsFunc(languages, func(code string) bool {
				return slices.Contains(m.Languages, code) && slices.Contains(p.configured(code), e)
			}))
		})
	})
}

// enginesHaving returns the engines that have the language, in the plan's order.
func (p *plan) enginesHaving(code string) []*engine {
	if len(p.only) > 0 && !slices.Contains(p.only, code) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(p.configured(code)), func(e *engine) bool { return !e.has(code) })
}

// configured returns the engines that the plan has for a language, whether or not they have it.
func (p *plan) configured(code string) []*engine {
	if engines, ok := p.byLanguage[code]; ok {
		return engines
	}
	return p.engines
}

// openFirst opens the utterance on the first engine that accepts it, beginning with the first that
// has not lost it too often. If an engine has been away for less than the patience it fails with
// ErrUnavailable and patient is set, so that the caller tries again. The language is that of
// results without one.
func (p *plan) openFirst(ctx context.Context, engines []*engine, q asr.Params, language string,
	fallback bool) (u asr.Stream, patient bool, err error) {
	begin := min(max(q.Attempt, 0)/asr.EngineAttempts, len(engines)-1)
	patience := p.patienceOf(q.Priority)
	for n := range engines {
		e := engines[(begin+n)%len(engines)]
		var opened asr.Stream
		if opened, err = e.openIfPresent(ctx, q, patience); err == nil {
			return &fallbackStream{
				Stream: opened, engine: e, asked: q.Language, language: language, last: len(engines) == 1,
				fallback: fallback || e != engines[0],
			}, false, nil
		}
		switch {
		case ctx.Err() != nil:
			return nil, false, ctx.Err()
		case errors.Is(err, asr.ErrLanguage):
			if len(engines) > 1 {
				e.refuse(q.Language)
			}
			return nil, false, err
		case e.availability.away() < patience:
			return nil, true, err
		}
	}
	return nil, false, fmt.Errorf("every engine is away: %w", err)
}

func (p *plan) patienceOf(priority asr.Priority) time.Duration {
	if priority == asr.Replay {
		return p.replayPatience
	}
	return p.patience
}

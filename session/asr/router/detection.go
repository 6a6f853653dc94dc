package router

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"steno/session/asr"
)

// detect starts an utterance of unknown language: on an engine that detects the language while it
// decodes, or else after identification, or else in the likeliest language.
func (p *plan) detect(ctx context.Context, q asr.Params) (asr.Stream, error) {
	if e := p.undecided(q.Priority); e != nil {
		return nil, fmt.Errorf("%w: engine %q has not told what it has", asr.ErrUnavailable, e.name)
	}
	among, fewer := p.candidates(q.Languages)
	likeliest := p.likeliest(q.Languages, among)
	if len(among) < 2 {
		q.Language = likeliest
		return p.open(ctx, q, fewer)
	}
	q.Languages = among
	for {
		detectors := p.detectors(among)
		if q.Passed > 0 && len(detectors) > 0 {
			if q.Passed >= len(detectors) {
				return nil, asr.ErrNoOther
			}
			detectors, fewer = detectors[q.Passed:], true
		}
		if len(detectors) == 1 && len(p.all) == 1 {
			return p.openSole(ctx, q, likeliest)
		}
		if len(detectors) == 0 {
			return p.openIdentified(ctx, q, likeliest, fewer)
		}
		if lost := asr.EngineAttempts * len(detectors); q.Attempt >= lost && len(p.all) > len(detectors) {
			q.Attempt -= lost
			return p.openIdentified(ctx, q, likeliest, true)
		}
		u, patient, err := p.openFirst(ctx, detectors, q, likeliest, fewer)
		switch {
		case err == nil || patient || ctx.Err() != nil:
			return u, err
		case !errors.Is(err, asr.ErrLanguage):
			return p.openIdentified(ctx, q, likeliest, true)
		case len(detectors) == 1:
			detectors[0].refuse("")
		}
	}
}

// openSole starts an utterance on the plan's only engine, which detects languages.
func (p *plan) openSole(ctx context.Context, q asr.Params, likeliest string) (asr.Stream, error) {
	e := p.all[0]
	u, err := e.openAlways(ctx, q)
	if err != nil {
		return nil, err
	}
	return &fallbackStream{Stream: u, engine: e, language: likeliest, last: true}, nil
}

// openIdentified starts an utterance in one language: the identified one, or the likeliest if none
// can be identified.
func (p *plan) openIdentified(ctx context.Context, q asr.Params, likeliest string, fallback bool) (asr.Stream, error) {
	if !p.router.identifies() {
		q.Language = likeliest
		return p.open(ctx, q, fallback)
	}
	if !slices.ContainsFunc(p.all, func(e *engine) bool { return e.availability.due() }) {
		return nil, fmt.Errorf("%w: every engine is away", asr.ErrUnavailable)
	}
	return newPendingStream(ctx, p, q, likeliest, fallback), nil
}

// undecided returns an engine that is about to answer what models it has, nil if there is none.
// Before that answer the same audio might be detected in another way than after it.
func (p *plan) undecided(priority asr.Priority) *engine {
	for _, e := range p.all {
		if away := e.catalog.availability.away(); e.catalog.undecided() && away > 0 && away < p.patienceOf(priority) {
			return e
		}
	}
	return nil
}

// candidates returns those of the given languages that some engine has, or all languages if none
// are given. fewer is set if these are fewer than usual because an engine has long been away.
func (p *plan) candidates(given []string) (among []string, fewer bool) {
	if len(given) == 0 {
		now, usual := p.codes(false), p.codes(true)
		if len(now) == 0 {
			return usual, false
		}
		return now, len(now) < len(usual)
	}
	for _, code := range given {
		if !slices.Contains(among, code) && len(p.enginesHaving(code)) > 0 {
			among = append(among, code)
		}
	}
	return among, false
}

// likeliest returns the language to assume where none can be detected: the first of the given
// languages that some engine has, or the plan's default. among may be empty if the engines accept
// any language and list none.
func (p *plan) likeliest(given, among []string) string {
	if len(given) > 0 && len(among) > 0 {
		return among[0]
	}
	if len(given) > 0 {
		return given[0] // no engine has it
	}
	for _, code := range []string{p.defaultLanguage, "en"} {
		if code != "" && (len(among) == 0 || slices.Contains(among, code)) {
			return code
		}
	}
	return among[0]
}

// detectors returns the engines that detect all the languages and are configured for each of them.
// Where languages can be identified beforehand, a model must also be the preferred one for each of
// them.
func (p *plan) detectors(among []string) []*engine {
	best := p.router.identifies()
	return slices.DeleteFunc(slices.Clone(p.all), func(e *engine) bool {
		return !e.detects(among, best) || slices.ContainsFunc(among, func(code string) bool {
			return !slices.Contains(p.configured(code), e) || !e.has(code)
		})
	})
}

// codes returns the plan's languages, sorted, with or without those of expired engines.
func (p *plan) codes(forgotten bool) []string {
	var codes []string
	for _, e := range p.all {
		if forgotten || !e.catalog.expired() {
			codes = p.appendCodes(codes, e)
		}
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}

// appendCodes adds the plan's languages that one engine has.
func (p *plan) appendCodes(codes []string, e *engine) []string {
	known := e.codes()
	codes = slices.Grow(codes, len(known))
	for _, code := range known {
		if (len(p.only) == 0 || slices.Contains(p.only, code)) && slices.Contains(p.configured(code), e) &&
			!e.refuses(code) {
			codes = append(codes, code)
		}
	}
	return codes
}

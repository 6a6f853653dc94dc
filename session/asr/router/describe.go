package router

import (
	"context"
	"slices"

	"steno/session/asr"
)

// EngineState describes one engine's part in a model of the API.
type EngineState struct {
	// Name is the engine's name.
	Name string
	// Models are those the engine listed last, with all their languages; empty if it lists none.
	Models []asr.Model
	// Available is set if the engine answered the last request of any kind.
	Available bool
	// Languages are the codes that the model has by this engine, sorted.
	Languages []string
	// Detects is set if the engine detects languages, while it decodes or beforehand.
	Detects bool
}

// Arrived reports that an engine has come up, or come back. The router immediately asks what models
// it has, and later callers wait for the answer. Otherwise the router would find out some seconds
// later. Any goroutine may call it.
func (r *Router) Arrived(name string) {
	for _, e := range r.engines {
		if e.name == name {
			e.catalog.invalidate()
		}
	}
}

// Languages returns the codes that a model of the API has now, sorted. An engine that is away keeps
// its languages for a minute.
func (r *Router) Languages(ctx context.Context, model string) []string {
	p := r.plans[model]
	if p == nil {
		return nil
	}
	p.refresh(ctx)
	return p.codes(false)
}

// Describe returns the engines of a model of the API, in the plan's order.
func (r *Router) Describe(ctx context.Context, model string) []EngineState {
	p := r.plans[model]
	if p == nil {
		return nil
	}
	p.refresh(ctx)
	var served []EngineState
	for _, e := range p.all {
		codes := p.appendCodes(nil, e)
		slices.Sort(codes)
		served = append(served, EngineState{
			Name: e.name, Models: e.catalog.models(), Available: e.available(), Languages: codes,
			Detects: e.catalog.identify.state.Load() == able ||
				slices.ContainsFunc(e.catalog.models(), func(m asr.Model) bool { return m.Detects }),
		})
	}
	return served
}

// Detects reports whether the language of speech is detected where a request for the model has
// none.
func (r *Router) Detects(ctx context.Context, model string) bool {
	p := r.plans[model]
	if p == nil {
		return false
	}
	p.refresh(ctx)
	among := p.codes(false)
	return len(among) > 1 && (len(p.detectors(among)) > 0 ||
		slices.ContainsFunc(r.engines, func(e *engine) bool { return e.catalog.identify.state.Load() == able }))
}

// refresh renews the old answers of all engines, at the same time, and waits for them.
func (p *plan) refresh(ctx context.Context) {
	for _, e := range p.all {
		e.catalog.refresh()
	}
	for _, e := range p.all {
		e.catalog.awaitFresh(ctx)
	}
}

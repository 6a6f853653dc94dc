package router

import (
	"context"
	"slices"

	"steno/session/asr"
)

// EngineState is one engine's part in a model of the API.
type EngineState struct {
	// Name of the engine.
	Name string
	// Models as it told last, those of all its languages; none if it does not tell.
	Models []asr.Model
	// Available says that it answered whatever it was last asked.
	Available bool
	// Languages the model has by this engine, sorted.
	Languages []string
	// Detects says that the engine tells languages apart, while it decodes or before.
	Detects bool
}

// Arrived says that an engine has come, or come back: it is asked at once what it has, and whoever wants to know waits for
// that. Without it the router would find out some seconds later.
func (r *Router) Arrived(name string) {
	for _, e := range r.engines {
		if e.name == name {
			e.catalog.invalidate()
		}
	}
}

// Languages returns the sorted codes to be had now for a model of the API. An engine that is away for less than a
// minute keeps its own.
func (r *Router) Languages(ctx context.Context, model string) []string {
	p := r.plans[model]
	if p == nil {
		return nil
	}
	p.refresh(ctx)
	return p.codes(false)
}

// Describe returns the engines of a model of the API in the plan's order.
func (r *Router) Describe(ctx context.Context, model string) []EngineState {
	p := r.plans[model]
	if p == nil {
		return nil
	}
	p.refresh(ctx)
	var served []EngineState
	for _, e := range p.all {
		codes := p.codesOf(e)
		slices.Sort(codes)
		served = append(served, EngineState{
			Name: e.name, Models: e.catalog.models(), Available: e.available(), Languages: codes,
			Detects: e.catalog.identify.state.Load() == able ||
				slices.ContainsFunc(e.catalog.models(), func(m asr.Model) bool { return m.Detects }),
		})
	}
	return served
}

// Detects tells whether the language of speech is found out where a request for the model tells none.
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

// refresh has all engines tell anew what they have, at the same time, where that is old.
func (p *plan) refresh(ctx context.Context) {
	for _, e := range p.all {
		e.catalog.refresh()
	}
	for _, e := range p.all {
		e.catalog.awaitFresh(ctx)
	}
}

package main

import (
	"context"

	"steno/messages"
	"steno/session/asr"
	"steno/session/asr/route"
)

// For is the recognizer behind a model of the API.
func (r *recognition) For(model string) asr.Recognizer { return r.router.For(model) }

// Models lists the API's models as clients are told of them.
func (r *recognition) Models(ctx context.Context) []messages.Model {
	list := []messages.Model{
		r.model(ctx, "stt-1", "live", "pre-recorded"),
		r.model(ctx, "stt-3", "pre-recorded"),
	}
	list[0].Default = true
	list[1].CodeSwitching = false
	if r.engines[voters] != nil {
		list = append(list, r.model(ctx, "stt-fusion", "pre-recorded"))
	}
	return list
}

func (r *recognition) model(ctx context.Context, name string, modes ...string) messages.Model {
	detects := r.router.Detects(ctx, name)
	m := messages.Model{
		Model: name, Modes: modes, Languages: r.router.Languages(ctx, name), Detection: detects, CodeSwitching: detects,
	}
	for _, e := range r.router.Describe(ctx, name) {
		m.Engines = append(m.Engines, described(e))
	}
	return m
}

func described(e route.Served) messages.Engine {
	out := messages.Engine{Name: e.Name, Available: e.Available, Languages: e.Languages}
	for _, m := range e.Models {
		out.Models = append(out.Models, messages.EngineModel{
			Name: m.Name, Languages: m.Languages, Partials: m.Partials, Detects: m.Detects,
		})
	}
	return out
}

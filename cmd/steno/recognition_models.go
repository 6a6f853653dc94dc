package main

import (
	"context"

	"steno/messages"
	"steno/session/asr"
	"steno/session/asr/router"
)

// For is the recognizer behind a model of the API.
func (r *recognition) For(model string) asr.Recognizer { return r.router.For(model) }

// Models lists the API's models as clients are told of them.
func (r *recognition) Models(ctx context.Context) []messages.Model {
	var list []messages.Model
	for _, name := range []string{"stt-1", "stt-3", "stt-fusion"} {
		if m, ok := r.Model(ctx, name); ok {
			list = append(list, m)
		}
	}
	return list
}

// Model is one of them, as its engines are or were some seconds ago: that is how old the router lets their answers grow.
func (r *recognition) Model(ctx context.Context, name string) (messages.Model, bool) {
	m := messages.Model{Model: name, Modes: []string{"pre-recorded"}}
	switch {
	case name == "stt-1":
		m.Default, m.Modes = true, []string{"live", "pre-recorded"}
	case name == "stt-3", name == "stt-fusion":
	default:
		return messages.Model{}, false
	}
	m.Detection = r.router.Detects(ctx, name)
	m.CodeSwitching = m.Detection && name != "stt-3"
	m.Languages = r.router.Languages(ctx, name)
	for _, e := range r.router.Describe(ctx, name) {
		m.Engines = append(m.Engines, described(e))
	}
	return m, true
}

func described(e router.Served) messages.Engine {
	out := messages.Engine{Name: e.Name, Available: e.Available, Languages: e.Languages}
	for _, m := range e.Models {
		out.Models = append(out.Models, messages.EngineModel{
			Name: m.Name, Languages: m.Languages, Partials: m.Partials, Detects: m.Detects,
		})
	}
	return out
}

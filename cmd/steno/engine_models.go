package main

import (
	"context"

	"steno/messages"
	"steno/session/asr"
	"steno/session/asr/engines"
	"steno/session/asr/router"
)

// apiModels are the API's models, each a plan of the router's.
type apiModels struct {
	router  *router.Router
	isLocal func(engine string) bool // whether what it decodes stays on this machine
}

func modelsOf(s *engines.Set) apiModels { return apiModels{s.Router(), s.IsLocal} }

// For returns the recognizer of a model of the API.
func (a apiModels) For(model string) asr.Recognizer { return a.router.For(model) }

// Models lists the API's models as clients see them.
func (a apiModels) Models(ctx context.Context) []messages.Model {
	var list []messages.Model
	for _, name := range []string{"stt-1", "stt-3", "stt-fusion"} {
		if m, ok := a.Model(ctx, name); ok {
			list = append(list, m)
		}
	}
	return list
}

// Model describes one of them, as its engines are or were some seconds ago: the router lets their answers grow that old.
func (a apiModels) Model(ctx context.Context, name string) (messages.Model, bool) {
	m := messages.Model{Model: name, Modes: []string{"pre-recorded"}}
	switch {
	case name == "stt-1":
		m.Default, m.Modes = true, []string{"live", "pre-recorded"}
	case name == "stt-3", name == "stt-fusion":
	default:
		return messages.Model{}, false
	}
	m.Detection = a.router.Detects(ctx, name)
	m.CodeSwitching = m.Detection && name != "stt-3"
	m.Languages = a.router.Languages(ctx, name)
	for _, e := range a.router.Describe(ctx, name) {
		m.Engines = append(m.Engines, engineOf(e, a.isLocal(e.Name)))
	}
	return m, true
}

// engineOf describes an engine as clients see it.
func engineOf(e router.EngineState, local bool) messages.Engine {
	out := messages.Engine{Name: e.Name, Available: e.Available, Languages: e.Languages, Local: local}
	for _, m := range e.Models {
		out.Models = append(out.Models, messages.EngineModel{
			Name: m.Name, Languages: m.Languages, Partials: m.Partials, Detects: m.Detects,
		})
	}
	return out
}

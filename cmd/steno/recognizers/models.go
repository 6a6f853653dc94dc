package recognizers

import (
	"context"

	"steno/messages"
	"steno/session/asr"
	"steno/session/asr/engines"
	"steno/session/asr/openai"
	"steno/session/asr/router"
)

// Models are the API's models, each a plan of the router's.
type Models struct {
	router    *router.Router
	answers   func(engine string) (openai.Answers, bool)
	estimates func(engine string) bool  // whether the times of its words are estimated
	isLocal   func(engine string) bool  // whether what it decodes stays on this machine
	licence   func(model string) string // of the weights of a model here; empty: not known
}

// APIModels returns the API's models with the engines that were started.
func (c Setup) APIModels(s *engines.Set) Models {
	return Models{s.Router(), s.Answers, s.Estimates, s.IsLocal, c.licenceOf}
}

// For returns the recognizer of a model of the API.
func (a Models) For(model string) asr.Recognizer { return a.router.For(model) }

// Models lists the API's models as clients see them.
func (a Models) Models(ctx context.Context) []messages.Model {
	var list []messages.Model
	for _, name := range []string{"stt-1", "stt-3", "stt-fusion"} {
		if m, ok := a.Model(ctx, name); ok {
			list = append(list, m)
		}
	}
	return list
}

// Model describes one of them, as its engines are or were some seconds ago: the router lets their
// answers grow that old.
func (a Models) Model(ctx context.Context, name string) (messages.Model, bool) {
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
		m.Engines = append(m.Engines, a.engineOf(e))
	}
	return m, true
}

// engineOf describes an engine as clients see it. Licences are those of models on this machine.
func (a Models) engineOf(e router.EngineState) messages.Engine {
	out := messages.Engine{Name: e.Name, Available: e.Available, Languages: e.Languages, Local: a.isLocal(e.Name)}
	if told, known := a.answers(e.Name); known {
		out.Format, out.Times = &told.Format, told.Times
	} else if a.estimates(e.Name) {
		out.Times = openai.TimesEstimated
	}
	for _, m := range e.Models {
		model := messages.EngineModel{Name: m.Name, Languages: m.Languages, Partials: m.Partials, Detects: m.Detects}
		if out.Local {
			model.Licence = a.licence(m.Name)
		}
		out.Models = append(out.Models, model)
	}
	return out
}

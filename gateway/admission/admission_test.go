package admission

import (
	"context"
	"testing"

	"steno/messages"
)

// offered is a model with engines.
type offered []messages.Engine

func (o offered) Model(context.Context, string) (messages.Model, bool) {
	return messages.Model{Engines: messages.List[messages.Engine](o)}, len(o) > 0
}

func TestEngineOfASession(t *testing.T) {
	engine := func(name string, available bool, languages ...string) messages.Engine {
		return messages.Engine{Name: name, Available: available, Languages: languages}
	}
	for name, c := range map[string]struct {
		engines   offered
		languages []string
		want      Target
	}{
		"the first": {offered{engine("a", true, "en"), engine("b", true, "en")}, nil,
			Target{"a", true}},
		"the first with the language": {offered{engine("a", true, "en"), engine("b", true, "fr")}, []string{"fr"},
			Target{"b", true}},
		"one that is there": {offered{engine("a", false, "en"), engine("b", true, "en")}, []string{"en"},
			Target{"b", true}},
		"one that is away": {offered{engine("a", false, "en"), engine("b", true, "fr")}, []string{"en"},
			Target{"a", false}},
		"one that has told nothing yet": {offered{engine("a", true, "fr"), engine("b", false)}, []string{"en"},
			Target{"b", false}},
		"the first of those that are": {offered{engine("a", false), engine("b", false, "en")}, []string{"en"},
			Target{"a", false}},
		"one that has a model": {offered{engine("a", true), engine("b", true, "en")}, nil, Target{"b", true}},
		"one that may get a model": {offered{engine("a", true), engine("b", false, "en")}, nil,
			Target{"b", false}},
		"none with the language": {offered{engine("a", true, "fr")}, []string{"en"}, Target{}},
		"no engine":              {nil, nil, Target{}},
	} {
		p := Policy{Models: c.engines}
		if got := p.Engine(t.Context(), "m", c.languages); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

package gateway

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"steno/messages"
	"steno/session/asr"
)

// engines is one recognizer for all models.
type engines struct {
	asr       asr.Recognizer
	languages []string // none: some
	starting  bool     // has not reported its models yet
	away      string   // another engine, which has not reported its models
	only      []string // models of the API; none: all

	mu     sync.Mutex
	lists  int      // how often all models were asked for
	single []string // models asked for by name
}

func (e *engines) For(string) asr.Recognizer { return e.asr }

func (e *engines) Models(context.Context) []messages.Model {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.lists++
	return e.models()
}

func (e *engines) Model(_ context.Context, name string) (messages.Model, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.single = append(e.single, name)
	for _, m := range e.models() {
		if m.Model == name {
			return m, true
		}
	}
	return messages.Model{}, false
}

func (e *engines) models() (list []messages.Model) {
	languages := e.languages
	if len(languages) == 0 && !e.starting {
		languages = []string{"de", "en", "es", "fr", "it", "pt"}
	}
	for _, name := range []string{"stt-1", "stt-3", "stt-fusion"} {
		if len(e.only) > 0 && !slices.Contains(e.only, name) {
			continue
		}
		list = append(list, messages.Model{
			Model: name, Default: name == "stt-1", Modes: []string{"live", "pre-recorded"}, Languages: languages,
			CodeSwitching: name == "stt-1",
			Engines: []messages.Engine{{
				Name: "scripted", Available: !e.starting, Languages: languages,
				Models: []messages.EngineModel{{Name: "scripted", Languages: languages, Partials: true}},
			}},
		})
		if e.away != "" {
			m := &list[len(list)-1]
			m.Engines = append(m.Engines, messages.Engine{Name: e.away})
		}
	}
	return list
}

func TestModelsAreListed(t *testing.T) {
	r := newTestServer(t, nil)
	r.engines.languages = []string{"en", "de"}
	answer := r.do("GET", "/v2/models", "")
	want := `{"models":[{"model":"stt-1","default":true,"modes":["live","pre-recorded"],"languages":["en","de"],"language_detection":false,` +
		`"code_switching":true,"engines":[{"name":"scripted","available":true,"local":false,"languages":["en","de"],` +
		`"models":[{"name":"scripted","languages":["en","de"],"partials":true,"detects":false}]}]},`
	if answer.status != http.StatusOK || !strings.HasPrefix(string(answer.body), want) {
		t.Errorf("status %d, body %s", answer.status, answer.body)
	}
	var got messages.Models
	if err := json.Unmarshal(answer.body, &got); err != nil {
		t.Fatal(err)
	}
	if e := got.EntityTypes; !slices.Contains(e.Found, "EMAIL_ADDRESS") || !slices.Contains(e.Unable, "PROJECT") ||
		!slices.Contains(e.Groups["PCI"], "CVV") {
		t.Errorf("entity types %+v", e)
	}
}

func TestLanguagesNobodyHas(t *testing.T) {
	r := newTestServer(t, nil)
	ask := func(body string) (int, string) {
		a := r.do("POST", "/v2/live", body)
		return a.status, string(a.body)
	}
	r.engines.languages = []string{"de", "en"}
	if status, body := ask(`{"language_config":{"languages":["fr"]}}`); status != 422 ||
		!strings.Contains(body, `no engine has a model for the language \"fr\"; model stt-1 has: de, en`) {
		t.Errorf("none of one: %d %s", status, body)
	}
	if status, body := ask(`{"language_config":{"languages":["zh","fr"]}}`); status != 422 ||
		!strings.Contains(body, `no engine has a model for the language \"zh\" or \"fr\"; model stt-1 has: de, en`) {
		t.Errorf("none of two: %d %s", status, body)
	}
	if status, body := ask(`{"language_config":{"languages":["en","de"]}}`); status != 201 {
		t.Errorf("all to be had: %d %s", status, body)
	}
	r.engines.languages, r.engines.starting = nil, true
	if status, body := ask(`{"language_config":{"languages":["fr"]}}`); status != 503 ||
		!strings.Contains(body, "starting") {
		t.Errorf("while the engine starts: %d %s", status, body)
	}
	if status, body := ask(`{}`); status != 201 {
		t.Errorf("any language while the engine starts: %d %s", status, body)
	}
	r.engines.only = []string{"stt-3"}
	if status, body := ask(`{}`); status != 422 || !strings.Contains(body, "model stt-1 has no engine on this server") {
		t.Errorf("a model that is not there: %d %s", status, body)
	}
	if e := r.engines; e.lists > 0 || !slices.Equal(slices.Compact(e.single), []string{"stt-1"}) {
		t.Errorf("asked %d times for all models, for one of %v", e.lists, e.single)
	}
}

package gateway

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"steno/messages"
	"steno/session/addon/entities"
	"steno/session/asr"
)

// Engines is what the gateway knows of recognition. Its methods may be called from any goroutine.
type Engines interface {
	// For returns the recognizer behind a model of the API. It stays valid while engines come and go.
	For(model string) asr.Recognizer
	// Models lists the API's models as they are now, the default first. A model that is not listed cannot be used.
	Models(ctx context.Context) []messages.Model
	// Model is one of them, by its name; false: it is not listed. It asks none but the engines of this model, and those
	// only if they have not been for some seconds.
	Model(ctx context.Context, name string) (messages.Model, bool)
}

// listModels tells what can be recognized now, and done beside that.
func (s *Server) listModels(w http.ResponseWriter, r *http.Request) error {
	writeJSON(w, http.StatusOK, messages.Models{
		Models: s.deps.Engines.Models(r.Context()), EntityTypes: s.entityTypes(), Addons: s.addons(r.Context()),
	})
	return nil
}

// entityTypes are the kinds of entities, and what becomes of them.
func (s *Server) entityTypes() messages.EntityTypes {
	found, unable := s.deps.Ways.EntityTypes()
	t := messages.EntityTypes{Found: found, Unable: unable, Groups: map[string]messages.List[string]{}}
	for _, name := range entities.Groups() {
		t.Groups[name], _ = entities.Group(name)
	}
	return t
}

// checkLanguages refuses a model that is not to be had here, and languages that no engine has a model for.
func (s *Server) checkLanguages(ctx context.Context, model string, codes []string) error {
	m, ok := s.deps.Engines.Model(ctx, model)
	if !ok {
		return problem(http.StatusUnprocessableEntity, fmt.Sprintf("model %s has no engine on this server", model))
	}
	for _, code := range codes {
		if slices.Contains(m.Languages, code) {
			continue
		}
		if undecided(m) {
			return refusal(http.StatusServiceUnavailable, "the engines are starting", s.cfg.Limits.RetryAfter)
		}
		return problem(http.StatusUnprocessableEntity, fmt.Sprintf(
			"no engine has a model for the language %q; model %s has: %s", code, model, strings.Join(m.Languages, ", ")))
	}
	return nil
}

// undecided tells whether an engine has yet to tell what it has.
func undecided(m messages.Model) bool {
	return slices.ContainsFunc(m.Engines, func(e messages.Engine) bool { return !e.Available && len(e.Languages) == 0 })
}

package gateway

import (
	"context"
	"net/http"

	"steno/gateway/web"
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
	web.WriteJSON(w, http.StatusOK, messages.Models{
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

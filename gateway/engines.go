package gateway

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

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

// startTime is how long after the start of the gateway engines may be expected to come.
const startTime = 2 * time.Minute

// served are the languages asked for that a model is to be had in here, and those that it is not. It refuses a model that no
// engine is there for, languages of which none is served, and any list of which an engine may yet serve more than now.
func (s *Server) served(ctx context.Context, name string, asked []string) (served, missing []string, err error) {
	m, ok := s.deps.Engines.Model(ctx, name)
	if !ok {
		return nil, nil, web.Problem(http.StatusUnprocessableEntity, fmt.Sprintf("model %s has no engine on this server", name))
	}
	for _, code := range asked {
		if slices.Contains(m.Languages, code) && messages.ModelHas(name, code) {
			served = append(served, code)
		} else {
			missing = append(missing, code)
		}
	}
	if len(missing) == 0 {
		return served, nil, nil
	}
	if undecided(m) && (len(served) == 0 || time.Since(s.began) < startTime) {
		return nil, nil, web.Refuse(http.StatusServiceUnavailable, "the engines are starting", s.cfg.Limits.RetryAfter)
	}
	if len(served) == 0 {
		return nil, nil, web.Problem(http.StatusUnprocessableEntity, fmt.Sprintf(
			"no engine has a model for the language %s; model %s has: %s", quotedList(missing), name, strings.Join(m.Languages, ", ")))
	}
	return served, missing, nil
}

func quotedList(codes []string) string {
	quoted := make([]string, len(codes))
	for i, code := range codes {
		quoted[i] = strconv.Quote(code)
	}
	return strings.Join(quoted, " or ")
}

// undecided tells whether an engine has yet to tell what it has.
func undecided(m messages.Model) bool {
	return slices.ContainsFunc(m.Engines, func(e messages.Engine) bool { return !e.Available && len(e.Languages) == 0 })
}

package gateway

import (
	"context"
	"net/http"
	"slices"
	"time"

	"steno/gateway/web"
	"steno/messages"
	"steno/session/addon"
	"steno/session/asr"
)

// Engines is the gateway's view of the engines. Its methods may be called from any goroutine.
type Engines interface {
	// For returns the recognizer for a model of the API. It stays valid while engines are added and
	// removed.
	For(model string) asr.Recognizer
	// Models lists the API's models as of now, the default first. A model that is not listed cannot
	// be used.
	Models(ctx context.Context) []messages.Model
	// Model returns a listed model by its name; false: it is not listed. It asks only the engines
	// of this model, each at most every few seconds.
	Model(ctx context.Context, name string) (messages.Model, bool)
}

// listModels answers with the models and add-ons that requests may ask for now.
func (s *Server) listModels(w http.ResponseWriter, r *http.Request) error {
	m := messages.Models{Models: s.deps.Engines.Models(r.Context()), Addons: addonOffers(r.Context(), s.deps.Addons,
		s.uploads.CheckMedia(r.Context()) == nil)}
	s.deps.Addons.Describe(&m)
	web.WriteJSON(w, http.StatusOK, m)
	return nil
}

// offerTimeout is how long servers may take to list the languages that they translate.
const offerTimeout = time.Second

// addonOffers lists the add-ons of a table that requests may ask for, with their providers.
// recorded reports whether the server accepts recorded files.
func addonOffers(ctx context.Context, t *addon.Table, recorded bool) []messages.Addon {
	ctx, cancel := context.WithTimeout(ctx, offerTimeout)
	defer cancel()
	list := t.Offers(ctx)
	for i := range list {
		if a := &list[i]; !recorded {
			a.Modes = slices.DeleteFunc(a.Modes, func(mode string) bool {
				return mode ==
					string(messages.JobPreRecorded)
			})
			a.Available = a.Available && len(a.Modes) > 0
		}
	}
	return list
}

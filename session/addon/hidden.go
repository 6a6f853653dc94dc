package addon

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"steno/messages"
	"steno/session/addon/entities"
	"steno/session/addon/redact"
	"steno/session/addon/remote"
)

// hidden is a transcript without what must not be told.
type hidden struct {
	utterances []messages.Utterance
	// entities are what was hidden of each utterance, by index, as it may be told; nil: nothing was to be hidden.
	entities [][]messages.Entity
	// failed says that a model was to find more to hide than is embedded, and could not everywhere; nil: it could.
	failed *messages.AddonError
}

// hide takes out of the utterances what must not be told. Whatever goes wrong here is an error: nothing may be told then.
// That a model fails is one only where it alone could have found anything: else what is embedded hides what it knows.
func (r *Recorded) hide(ctx context.Context, us []messages.Utterance) (h hidden, err error) {
	if r.redactor == nil {
		return hidden{utterances: us}, nil
	}
	defer func() {
		if fault := recover(); fault != nil {
			h, err = hidden{}, fmt.Errorf("redaction broke down: %v", fault)
		}
	}()
	var told [][]entities.Found
	if r.ways.Confide != nil {
		types := slices.Sorted(maps.Keys(redact.Types(r.request.PIIRedactionConfig)))
		told, err = several(ctx, r.ways.Afterwards, us, func(ctx context.Context, u messages.Utterance) ([]entities.Found, error) {
			return r.ways.Confide(ctx, u, types)
		})
		h.failed = remote.Addon(err)
		if h.failed != nil && !(Ways{}).Findable(r.request.PIIRedactionConfig) {
			return hidden{}, &messages.Problem{
				Status: http.StatusBadGateway, Message: "what is to be hidden could not be looked for: " + h.failed.Message, Err: err,
			}
		}
	}
	h.utterances, h.entities = r.redactor.All(us, told)
	return h, nil
}

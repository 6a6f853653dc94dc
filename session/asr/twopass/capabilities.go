package twopass

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"steno/session/asr"
)

var errUnable = fmt.Errorf("two passes: neither recognizer can: %w", asr.ErrUnavailable)

// Models implements [asr.Lister]: the models for finals. Those have partials whose languages a
// model for partials has now.
func (r *Recognizer) Models(ctx context.Context) ([]asr.Model, error) {
	lister, ok := r.finals.(asr.Lister)
	if !ok {
		return nil, fmt.Errorf("two passes: the recognizer for finals lists no models: %w", asr.ErrUnavailable)
	}
	models, err := lister.Models(ctx)
	if err != nil {
		return nil, err
	}
	followed := r.followed(ctx)
	for i := range models {
		models[i].Partials = slices.ContainsFunc(models[i].Languages, func(l string) bool { return followed[l] })
	}
	return models, nil
}

// followed returns the languages that have partials, none if the recognizer for partials lists
// none.
func (r *Recognizer) followed(ctx context.Context) map[string]bool {
	lister, ok := r.partials.(asr.Lister)
	if !ok {
		return nil
	}
	models, err := lister.Models(ctx)
	if err != nil {
		return nil
	}
	followed := map[string]bool{}
	for _, m := range models {
		for _, l := range m.Languages {
			followed[l] = followed[l] || m.Partials
		}
	}
	return followed
}

// delegate is the pair's [asr.Delegate]: it asks the recognizer for finals, then the one for
// partials where the first lacks the capability, the language, or means. If both refuse, the first
// refusal is the error.
func (r *Recognizer) delegate(_ context.Context, try func(any) error) error {
	var refusal error
	for _, recognizer := range []asr.Recognizer{r.finals, r.partials} {
		err := try(recognizer)
		if err == asr.ErrNotOffered {
			continue
		}
		if !errors.Is(err, asr.ErrUnavailable) && !errors.Is(err, asr.ErrLanguage) {
			return err
		}
		if refusal == nil {
			refusal = err
		}
	}
	if refusal == nil {
		return errUnable
	}
	return refusal
}

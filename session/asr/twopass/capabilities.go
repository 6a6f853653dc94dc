package twopass

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"steno/session/asr"
)

var errUnable = fmt.Errorf("two passes: neither recognizer can: %w", asr.ErrUnavailable)

// Models implements [asr.Lister]: the models of the finals' side, of which those have partials that share a language with
// a model of the partials' side that has them now.
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

// followed holds the languages there are partials for, none where the partials' side does not tell.
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

// Identify implements [asr.Identifier] by the finals' side, or the other one where that cannot.
func (r *Recognizer) Identify(ctx context.Context, samples []int16, among []string) (language string, err error) {
	err = either(r, func(a asr.Identifier) error {
		language, err = a.Identify(ctx, samples, among)
		return err
	})
	return language, err
}

// Punctuate implements [asr.Punctuator] by the finals' side, or the other one where that cannot.
func (r *Recognizer) Punctuate(ctx context.Context, language, text string) (out string, err error) {
	err = either(r, func(a asr.Punctuator) error {
		out, err = a.Punctuate(ctx, language, text)
		return err
	})
	return out, err
}

// Diarize implements [asr.Diarizer] by the finals' side, or the other one where that cannot.
func (r *Recognizer) Diarize(ctx context.Context, samples []int16, want asr.Speakers) (turns []asr.Turn, err error) {
	err = either(r, func(a asr.Diarizer) error {
		turns, err = a.Diarize(ctx, samples, want)
		return err
	})
	return turns, err
}

// Denoise implements [asr.Denoiser] by the finals' side, or the other one where that cannot.
func (r *Recognizer) Denoise(ctx context.Context) (d asr.Denoising, err error) {
	err = either(r, func(a asr.Denoiser) error {
		d, err = a.Denoise(ctx)
		return err
	})
	return d, err
}

// either asks the side for finals, then the other one where the first lacks the ability, the language, or means. If both
// refuse, the first refusal is the answer.
func either[Ability any](r *Recognizer, ask func(Ability) error) error {
	var refusal error
	for _, side := range []asr.Recognizer{r.finals, r.partials} {
		able, ok := side.(Ability)
		if !ok {
			continue
		}
		err := ask(able)
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

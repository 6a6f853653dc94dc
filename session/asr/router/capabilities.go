package router

import (
	"context"
	"errors"
	"fmt"

	"steno/session/asr"
)

var errUnable = fmt.Errorf("%w: no engine is able to", asr.ErrUnavailable)

// Identify implements [asr.Identifier] by the first engine that can.
func (r *Router) Identify(ctx context.Context, samples []int16, among []string) (language string, err error) {
	err = firstAble(ctx, r, func(a asr.Identifier) error {
		language, err = a.Identify(ctx, samples, among)
		return err
	})
	return language, err
}

// Punctuate implements [asr.Punctuator] by the first engine that can.
func (r *Router) Punctuate(ctx context.Context, language, text string) (punctuated string, err error) {
	err = firstAble(ctx, r, func(a asr.Punctuator) error {
		punctuated, err = a.Punctuate(ctx, language, text)
		return err
	})
	return punctuated, err
}

// Diarize implements [asr.Diarizer] by the first engine that can.
func (r *Router) Diarize(ctx context.Context, samples []int16, want asr.Speakers) (turns []asr.Turn, err error) {
	err = firstAble(ctx, r, func(a asr.Diarizer) error {
		turns, err = a.Diarize(ctx, samples, want)
		return err
	})
	return turns, err
}

// Denoise implements [asr.Denoiser] by the first engine that can.
func (r *Router) Denoise(ctx context.Context) (d asr.Denoising, err error) {
	err = firstAble(ctx, r, func(a asr.Denoiser) error {
		d, err = a.Denoise(ctx)
		return err
	})
	return d, err
}

// firstAble asks one engine after the other until one can. Where all fail, ErrUnavailable is the answer if any of them
// may do better later: else the last refusal.
func firstAble[Ability any](ctx context.Context, r *Router, ask func(Ability) error) error {
	failed := errUnable
	for _, e := range r.engines {
		able, ok := e.recognizer.(Ability)
		if !ok {
			continue
		}
		err := ask(able)
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if failed == errUnable || !errors.Is(failed, asr.ErrUnavailable) {
			failed = fmt.Errorf("engine %q: %w", e.name, err)
		}
	}
	return failed
}

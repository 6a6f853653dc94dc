package addon

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"steno/session/addon/remote"
)

// Observed are the same ways, of whose failures an operator is told: which add-on, and the cause, that clients are not told
// of. It holds no text of a transcript, a prompt or an answer. What nobody waits for any more is no failure, nor is what
// cannot be done as it was asked for; and for punctuation, pauses stand in. failed is called from any goroutine and must
// return soon.
func (w Ways) Observed(failed func(addon string, cause error)) Ways {
	w.Entities = observed1(failed, entity, w.Entities)
	w.Confide = observed2(failed, "pii_redaction", w.Confide)
	w.Sentiments = observed1(failed, sentiments, w.Sentiments)
	w.Translate = observed3(failed, translation, w.Translate)
	w.Summarize = observed2(failed, "summarization", w.Summarize)
	w.Chapters = observed1(failed, chapter, w.Chapters)
	w.Ask = observed3(failed, "audio_to_llm", w.Ask)
	w.Extract = observed2(failed, "structured_data_extraction", w.Extract)
	w.Names = observed1(failed, "name_consistency", w.Names)
	return w
}

func observed1[A, R any](failed func(string, error), addon string, do func(context.Context, A) (R, error)) func(context.Context, A) (R, error) {
	if do == nil {
		return nil
	}
	return func(ctx context.Context, a A) (result R, err error) {
		defer tell(failed, addon, &err)
		return do(ctx, a)
	}
}

func observed2[A, B, R any](failed func(string, error), addon string, do func(context.Context, A, B) (R, error)) func(context.Context, A, B) (R, error) {
	if do == nil {
		return nil
	}
	return func(ctx context.Context, a A, b B) (R, error) {
		return observed1(failed, addon, func(ctx context.Context, a A) (R, error) { return do(ctx, a, b) })(ctx, a)
	}
}

func observed3[A, B, C, R any](failed func(string, error), addon string, do func(context.Context, A, B, C) (R, error)) func(context.Context, A, B, C) (R, error) {
	if do == nil {
		return nil
	}
	return func(ctx context.Context, a A, b B, c C) (R, error) {
		return observed1(failed, addon, func(ctx context.Context, a A) (R, error) { return do(ctx, a, b, c) })(ctx, a)
	}
}

// tell tells of the error with which a function returns, or breaks down: of that the kind alone, for what it says may be
// anything. It must be deferred, and lets a breakdown go on.
func tell(failed func(string, error), addon string, err *error) {
	if fault := recover(); fault != nil {
		failed(addon, fmt.Errorf("broke down: %T", fault))
		panic(fault)
	}
	if *err != nil && !errors.Is(*err, context.Canceled) && !impossible(*err) {
		failed(addon, *err)
	}
}

// impossible tells an error that says what is wrong with the request.
func impossible(err error) bool {
	var e *remote.Error
	return errors.As(err, &e) && slices.Contains([]int{http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity}, e.StatusCode)
}

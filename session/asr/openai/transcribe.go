package openai

import (
	"context"

	"steno/session/asr"
	"steno/session/asr/remote"
	"steno/session/panics"
)

// start begins to transcribe the samples, which must not change. hasSlot: a slot was taken
// already.
func (r *Recognizer) start(u *stream, samples []int16, hasSlot bool) *job {
	ctx, cancel := context.WithTimeoutCause(u.ctx, r.server.Limits.BudgetOf(u.params.Priority), remote.ErrBudget)
	j := &job{cancel: cancel, done: make(chan struct{})}
	begun := r.server.Begin(func() {
		defer close(j.done)
		defer cancel()
		stop := context.AfterFunc(r.server.Lifetime(), cancel)
		defer stop()
		j.err = panics.Catch(func() (err error) {
			j.result, err = r.transcribe(ctx, u, samples, hasSlot)
			return err
		})
		switch {
		case j.err == nil:
		case u.ctx.Err() != nil:
			j.err = u.ctx.Err()
		case r.server.Lifetime().Err() != nil:
			j.err = remote.ErrClosed
		case ctx.Err() != nil:
			j.err = context.Cause(ctx)
		}
	})
	if !begun {
		cancel()
		if hasSlot {
			r.server.Slots.Release(u.params.Party, 1)
		}
		return finished(asr.Result{}, remote.ErrClosed)
	}
	return j
}

// transcribe makes requests until one is answered, another would be useless, or there were enough.
func (r *Recognizer) transcribe(ctx context.Context, u *stream, samples []int16, hasSlot bool) (result asr.Result,
	err error) {
	err = r.server.Do(ctx, u.known, hasSlot, func(last bool) (err error) {
		result, err = r.request(ctx, u, samples, last)
		return err
	})
	return result, err
}

package openai

import (
	"context"
	"errors"
	"fmt"
	"time"

	"steno/session/asr"
	"steno/session/panics"
	"steno/session/retry"
	"steno/session/semaphore"
)

// start begins to transcribe the samples, which must not change. hasSlot says that a slot was taken
// already.
func (r *Recognizer) start(u *stream, samples []int16, hasSlot bool) *job {
	budget := r.config.Budget
	if u.params.Priority == asr.Replay {
		budget *= 5
	}
	ctx, cancel := context.WithTimeoutCause(u.ctx, budget, errBudget)
	j := &job{cancel: cancel, done: make(chan struct{})}
	begun := r.begin(func() {
		defer close(j.done)
		defer cancel()
		stop := context.AfterFunc(r.lifetime, cancel)
		defer stop()
		j.err = panics.Catch(func() (err error) {
			j.result, err = r.transcribe(ctx, u, samples, hasSlot)
			return err
		})
		switch {
		case j.err == nil:
		case u.ctx.Err() != nil:
			j.err = u.ctx.Err()
		case r.lifetime.Err() != nil:
			j.err = errClosed
		case ctx.Err() != nil:
			j.err = context.Cause(ctx)
		}
	})
	if !begun {
		cancel()
		if hasSlot {
			r.slots.Release()
		}
		return finished(asr.Result{}, errClosed)
	}
	return j
}

// take waits for a slot. Errors: ErrUnavailable if too many wait, or the context's cause.
func (r *Recognizer) take(ctx context.Context, p asr.Priority) error {
	switch err := r.slots.Acquire(ctx, int(p)); {
	case errors.Is(err, semaphore.ErrFull):
		return fmt.Errorf("%w: too many utterances wait for a request", asr.ErrUnavailable)
	case err != nil:
		return context.Cause(ctx)
	}
	return nil
}

// transcribe makes requests until one is answered, another would be useless, or there were enough.
// It holds a slot during a request.
func (r *Recognizer) transcribe(ctx context.Context, u *stream, samples []int16, hasSlot bool) (asr.Result, error) {
	pauses, attempts := r.tries(u.params.Attempt)
	for attempt := 1; ; attempt++ {
		if !hasSlot {
			if err := r.take(ctx, u.params.Priority); err != nil {
				return asr.Result{}, err
			}
		}
		hasSlot = false
		result, err := r.requestInSlot(ctx, u, samples, attempt == attempts)
		if err == nil || errors.Is(err, asr.ErrLanguage) {
			r.circuit.success()
			return result, err
		}
		if u.ctx.Err() != nil || r.lifetime.Err() != nil || ctx.Err() != nil && !errors.Is(context.Cause(ctx),
			errBudget) {
			return asr.Result{}, err // not the server's fault
		}
		var f *failure
		errors.As(err, &f)
		wait := max(pauses.Next(), f.asked)
		deadline, _ := ctx.Deadline()
		if !f.again || attempt == attempts || wait > r.config.MaxBackoff || time.Until(deadline) <= wait {
			r.circuit.outcome(u, f)
			return asr.Result{}, err
		}
		_ = retry.Sleep(ctx, wait) // taking a slot fails if ctx has ended
	}
}

// again is how many more requests, with pauses so many times as long, are made for an utterance
// that engines have failed by before: nobody else may be left to ask, and what is wrong with a
// server may take as long as that.
const (
	again  = 2
	longer = 4
)

// tries returns the pauses between the requests for an utterance that was lost so often before, and
// how many requests to make.
func (r *Recognizer) tries(lost int) (retry.Backoff, int) {
	if lost < asr.EngineAttempts {
		return retry.Backoff{First: r.config.MinBackoff, Longest: r.config.MaxBackoff}, r.config.Attempts
	}
	return retry.Backoff{First: longer * r.config.MinBackoff, Longest: r.config.MaxBackoff}, r.config.Attempts + again
}

// requestInSlot is request in a slot: it releases the slot, which the caller has taken.
func (r *Recognizer) requestInSlot(ctx context.Context, u *stream, samples []int16, last bool) (asr.Result, error) {
	defer r.slots.Release() // after a panic, too
	return r.request(ctx, u, samples, last)
}

// failure is an ErrUnavailable that says whether another attempt may help. Its text holds nothing
// that the server said, which might contain the key or words of the audio.
type failure struct {
	text  string
	cause error         // may be nil
	again bool          // another attempt may help
	own   bool          // it may be the utterance's own fault: then it wraps ErrTried
	asked time.Duration // how long the server asked not to be called
}

func (f *failure) Error() string {
	if f.cause != nil {
		return fmt.Sprintf("%v: %s: %v", asr.ErrUnavailable, f.text, f.cause)
	}
	return fmt.Sprintf("%v: %s", asr.ErrUnavailable, f.text)
}

// Unwrap returns the error of package asr that it stands for.
func (f *failure) Unwrap() error {
	if f.own {
		return asr.ErrTried
	}
	return asr.ErrUnavailable
}

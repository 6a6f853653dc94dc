package addon

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"steno/messages"
	"steno/session/addon/remote"
	"steno/session/panics"
)

// Runner runs the work of add-ons within its time. The zero value has the defaults.
type Runner struct {
	// Realtime is the time of one add-on for one final. Default 5 s.
	Realtime time.Duration
	// PostProcessing is the time of one add-on for a whole transcript. Default 2 min.
	PostProcessing time.Duration
	// Clock measures these times. Default: [SystemClock].
	Clock Clock
	// OnFailure gets the name of an add-on that failed and the cause, which clients do not see. The
	// cause holds no text of a transcript, prompt or answer. Work that was cancelled has not
	// failed, nor has a request that the provider refused as impossible. It is called from any
	// goroutine and must return soon; nil: failures are not reported.
	OnFailure func(addon string, cause error)
}

// withDefaults returns a copy with the defaults in the place of zero values.
func (r Runner) withDefaults() *Runner {
	if r.Realtime <= 0 {
		r.Realtime = 5 * time.Second
	}
	if r.PostProcessing <= 0 {
		r.PostProcessing = 2 * time.Minute
	}
	if r.Clock == nil {
		r.Clock = SystemClock{}
	}
	return &r
}

// Run runs work of an add-on within a time limit and reports its failure. A panic is a failure like
// any other. Work that returns without an error after the limit has failed too. What work returns
// beside an error is returned as well.
func Run[T any](ctx context.Context, r *Runner, addon string, limit time.Duration, work func(context.Context) (T,
	error)) (T, error) {
	ctx, cancel := r.Clock.WithTimeout(ctx, limit)
	defer cancel()
	result, err := recovered(ctx, work)
	r.report(addon, err)
	if err == nil {
		err = ctx.Err()
	}
	return result, err
}

// recovered returns what work returns. Where work panics, the error holds the panic and the result
// is the zero value.
func recovered[T any](ctx context.Context, work func(context.Context) (T, error)) (result T, err error) {
	defer func() {
		if panics.In(err) != nil {
			result = *new(T)
		}
	}()
	defer panics.To(&err)
	return work(ctx)
}

// report passes an error to OnFailure. Of a panic it passes the type alone: its text may hold
// anything.
func (r *Runner) report(addon string, err error) {
	if r.OnFailure == nil || err == nil || errors.Is(err, context.Canceled) || impossible(err) {
		return
	}
	if fault := panics.In(err); fault != nil {
		err = fmt.Errorf("broke down: %T", fault.Value)
	}
	r.OnFailure(addon, err)
}

// impossible reports whether an error is the fault of the request.
func impossible(err error) bool {
	var e *remote.Error
	return errors.As(err, &e) && slices.Contains([]int{http.StatusBadRequest, http.StatusRequestEntityTooLarge,
		http.StatusUnprocessableEntity}, e.StatusCode)
}

const (
	// concurrentUtterances is how many utterances of a recorded job an add-on works on at a time: a
	// language model answers several requests no slower than one.
	concurrentUtterances = 4
	// maxFailures is how many failures in a row make the add-on skip the remaining utterances.
	maxFailures = 6
)

// RunEach runs work on each utterance of a recorded job, within a time limit for all of them. It
// returns the results by index and the first failure in the order of the utterances: one that fails
// leaves the others as they are. After too many failures in a row the remaining utterances fail
// with the last error.
func RunEach[T any](ctx context.Context, r *Runner, addon string, us []messages.Utterance, work func(context.Context,
	messages.Utterance) (T, error)) (results []T, first error) {
	ctx, cancel := r.Clock.WithTimeout(ctx, r.PostProcessing)
	defer cancel()
	results = make([]T, len(us))
	errs := make([]error, len(us))
	var next, failures atomic.Int64
	var last atomic.Pointer[error]
	var workers panics.Group
	for range min(concurrentUtterances, len(us)) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(us)); i = next.Add(1) - 1 {
				if failures.Load() >= maxFailures {
					errs[i] = *last.Load()
					continue
				}
				result, err := Run(ctx, r, addon, r.PostProcessing, func(ctx context.Context) (T,
					error) {
					return work(ctx, us[i])
				})
				if err != nil {
					errs[i] = err
					last.Store(&err)
					failures.Add(1)
					continue
				}
				results[i] = result
				failures.Store(0)
			}
		})
	}
	workers.Wait()
	return results, cmp.Or(errs...)
}

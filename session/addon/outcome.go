package addon

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"steno/messages"
	"steno/session/addon/remote"
)

// Unavailable is the error of an add-on that there is no way to do here.
func Unavailable(name string) *messages.AddonError {
	return &messages.AddonError{
		StatusCode: http.StatusNotImplemented, Exception: "AddonUnavailable",
		Message: name + " is not available on this server",
	}
}

// attempt does work within a time. Work that breaks down fails like any other.
func attempt[T any](ctx context.Context, budget time.Duration, work func(context.Context) (T, error)) (result T, err error) {
	ctx, cancel := context.WithTimeout(ctx, budget)
	defer cancel()
	defer func() {
		if fault := recover(); fault != nil {
			var none T
			result, err = none, fmt.Errorf("add-on broke down: %v", fault)
		}
	}()
	if result, err = work(ctx); err == nil {
		err = ctx.Err() // what comes too late does not count
	}
	return result, err
}

// wrap puts what came of an add-on over a whole job, recorded or live, into its wrapper. One rule holds for all add-ons: where
// anything of what was asked for is missing, success is false and error tells what failed, of several things the first; the
// results are what there is beside that. Results that are a list of what was asked for, such as prompts or languages, have an
// item for each, which tells its own failure.
func wrap[T any](began time.Time, result T, empty bool, failed *messages.AddonError) *messages.AddonResult[T] {
	took := thousandth(time.Since(began).Seconds())
	return &messages.AddonResult[T]{Success: failed == nil, IsEmpty: empty, ExecTime: took, Error: failed, Results: result}
}

// whole does an add-on whose output is there as a whole or not at all; known says that there is a way to.
func whole[T any](ctx context.Context, name string, known bool, budget time.Duration, work func(context.Context) (T, error), empty func(T) bool) *messages.AddonResult[T] {
	began := time.Now()
	var none T
	if !known {
		return wrap(began, none, true, Unavailable(name))
	}
	result, err := attempt(ctx, budget, work)
	if err != nil {
		return wrap(began, none, true, remote.Addon(err))
	}
	return wrap(began, result, empty(result), nil)
}

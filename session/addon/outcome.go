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

// wrap puts what came of an add-on over a whole job into its wrapper.
func wrap[T any](began time.Time, result T, empty bool, failed *messages.AddonError) *messages.AddonResult[T] {
	took := thousandth(time.Since(began).Seconds())
	if failed != nil {
		var none T
		return &messages.AddonResult[T]{IsEmpty: true, ExecTime: took, Error: failed, Results: none}
	}
	return &messages.AddonResult[T]{Success: true, IsEmpty: empty, ExecTime: took, Results: result}
}

// partly is wrap for an add-on that may fail for some of what it is done for: the failure stands beside what there is.
func partly[T any](began time.Time, result T, empty bool, failed *messages.AddonError) *messages.AddonResult[T] {
	out := wrap(began, result, empty, nil)
	out.Success, out.Error = failed == nil, failed
	return out
}

// whole does an add-on over a whole job; known says that there is a way to.
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

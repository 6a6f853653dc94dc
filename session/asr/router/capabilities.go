package router

import (
	"context"
	"errors"
	"fmt"

	"steno/session/asr"
)

var errUnable = fmt.Errorf("%w: no engine is able to", asr.ErrUnavailable)

// delegate is the router's [asr.Delegate]: it asks one engine after the other until one succeeds. Where all fail the
// error is ErrUnavailable if any of them may succeed later, else the last refusal.
func (r *Router) delegate(ctx context.Context, try func(any) error) error {
	failed := errUnable
	for _, e := range r.engines {
		err := try(e.recognizer)
		if err == nil {
			return nil
		}
		if err == asr.ErrNotOffered {
			continue
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

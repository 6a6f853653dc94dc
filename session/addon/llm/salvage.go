package llm

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"

	"steno/session/addon/remote"
)

// patience is how many failures in a row tell that the server has no answers.
const patience = 8

// salvage runs f for each piece, which says something of each item, and gives all that can be had, with the first error
// in the order of the pieces. A piece that the server does not answer well is halved, down to the items that it fails
// for: what is said in one must not cost the others theirs. Items without an answer have the zero of A.
func salvage[A any](ctx context.Context, c *Client, pieces []piece, f func(ctx context.Context, p piece) ([]A, error)) ([][]A, error) {
	all, errs := make([][]A, len(pieces)), make([]error, len(pieces))
	var failures atomic.Int64
	var last atomic.Pointer[error]
	var try func(ctx context.Context, p piece) ([]A, error)
	try = func(ctx context.Context, p piece) ([]A, error) {
		if failures.Load() >= patience {
			return make([]A, len(p)), *last.Load()
		}
		got, err := f(ctx, p)
		if err == nil {
			failures.Store(0)
			return got, nil
		}
		last.Store(&err)
		failures.Add(1)
		if len(p) == 1 || !divisible(err) {
			return make([]A, len(p)), err
		}
		left, first := try(ctx, p[:len(p)/2].renumbered())
		right, second := try(ctx, p[len(p)/2:].renumbered())
		return append(left, right...), cmp.Or(first, second)
	}
	cause := c.each(ctx, len(pieces), func(ctx context.Context, i int) error {
		all[i], errs[i] = try(ctx, pieces[i])
		return nil
	})
	for i, p := range pieces {
		if all[i] == nil { // not begun
			all[i] = make([]A, len(p))
		}
	}
	if cause != nil {
		return all, cause
	}
	return all, cmp.Or(errs...)
}

// divisible tells whether an error may be due to a part of what was asked about: the answer was no good, or the server
// refused just this.
func divisible(err error) bool {
	var e *remote.Error
	if !errors.As(err, &e) {
		return false
	}
	switch status, _ := e.Refused(); status {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity, http.StatusInternalServerError:
		return true
	case 0:
		return e.StatusCode == http.StatusBadGateway && !strings.HasSuffix(e.Exception, "Unreachable")
	}
	return false
}

// renumbered is a part of a piece as a piece of its own.
func (p piece) renumbered() piece {
	out := append(piece(nil), p...)
	for i := range out {
		out[i].N = i
	}
	return out
}

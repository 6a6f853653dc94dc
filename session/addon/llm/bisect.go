package llm

import (
	"cmp"
	"context"
	"sync/atomic"

	"steno/session/addon/remote"
)

// patience is how many failures in a row tell that the server has no answers.
const patience = 8

// Bisect runs f for each Piece, which returns an answer for each Item, and returns all answers,
// with the first error in the order of the pieces. An item that fails must not cost the others
// their answers: see bisectPiece. Items without an answer have the zero value of A. After patience
// failures without any answer, no more pieces are started.
func Bisect[A any](ctx context.Context, c *Client, pieces []Piece, f func(ctx context.Context, p Piece) ([]A,
	error)) ([][]A, error) {
	all, errs := make([][]A, len(pieces)), make([]error, len(pieces))
	for i, p := range pieces {
		all[i] = make([]A, len(p))
	}
	var failures atomic.Int64
	var answered atomic.Bool
	var last atomic.Pointer[error]
	cause := c.each(ctx, len(pieces), func(ctx context.Context, i int) error {
		if !answered.Load() && failures.Load() >= patience {
			errs[i] = *last.Load()
			return nil
		}
		errs[i] = bisectPiece(all[i], pieces[i], func(p Piece) ([]A, error) {
			got, err := f(ctx, p)
			if err == nil {
				answered.Store(true)
				return got, nil
			}
			last.Store(&err)
			failures.Add(1)
			return nil, err
		})
		return nil
	})
	return all, cmp.Or(cause, cmp.Or(errs...))
}

// bisectPiece stores in all what f returns for each item of a Piece, and returns the first error
// that cost an item its answer. A part that the server fails to answer is halved, down to the items
// that it fails for. Longer parts are tried first: where few items are at fault an answer comes
// soon, so patience runs out only with a server that answers hardly anything. Failures are counted
// within the piece, so that its outcome does not depend on other pieces.
func bisectPiece[A any](all []A, p Piece, f func(p Piece) ([]A, error)) (first error) {
	type part struct{ from, to int }
	todo := []part{{0, len(p)}}
	for failures := 0; len(todo) > 0; {
		t := todo[0]
		todo = todo[1:]
		got, err := f(p[t.from:t.to].renumber())
		if err == nil {
			copy(all[t.from:t.to], got)
			failures = 0
			continue
		}
		if failures++; failures == patience {
			return cmp.Or(first, err)
		}
		if middle := (t.from + t.to) / 2; middle > t.from && remote.Divisible(err) {
			todo = append(todo, part{t.from, middle}, part{middle, t.to})
		} else {
			first = cmp.Or(first, err)
		}
	}
	return first
}

// renumber is a part of a piece as a piece of its own.
func (p Piece) renumber() Piece {
	out := append(Piece(nil), p...)
	for i := range out {
		out[i].N = i
	}
	return out
}

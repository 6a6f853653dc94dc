// Package retry waits between attempts at what has failed.
package retry

import (
	"context"
	"math"
	"time"
)

// Sleep returns nil after d, or the error of ctx when that ends before.
func Sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Exponential returns the pause after the n-th failure, counted from 1: first, doubled with each
// further failure, and never more than longest.
func Exponential(first, longest time.Duration, n int) time.Duration {
	if n >= 63 {
		return longest
	}
	return time.Duration(min(float64(longest), float64(first)*math.Ldexp(1, max(n-1, 0))))
}

// Backoff counts the failures of one task and tells the pause after each of them. It is not safe
// for concurrent use.
type Backoff struct {
	First   time.Duration // pause after the first failure; it doubles with each further one
	Longest time.Duration // longest pause

	failures int
}

// Next counts a failure and returns the pause that follows it.
func (b *Backoff) Next() time.Duration {
	b.failures++
	return Exponential(b.First, b.Longest, b.failures)
}

// Reset forgets the failures, after a success.
func (b *Backoff) Reset() { b.failures = 0 }

// Do calls attempt until it returns nil, and sleeps after each failure for the pauses of b. failed,
// which may be nil, is called with each error before that. If ctx ends, Do returns the error of
// ctx; it calls attempt at least once.
func Do(ctx context.Context, b Backoff, attempt func() error, failed func(error)) error {
	for {
		err := attempt()
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if failed != nil {
			failed(err)
		}
		if err := Sleep(ctx, b.Next()); err != nil {
			return err
		}
	}
}

package addon

import (
	"cmp"
	"context"
	"sync/atomic"
	"time"

	"steno/messages"
	"steno/session/panics"
)

const (
	// together is how many utterances of a job are worked on at a time: a model answers several no slower than one.
	together = 4
	// patience is how many failures in a row tell that no more will come.
	patience = 6
)

// several does work on each utterance of a job, within a time for all. It gives what came of each, by index, and the
// first failure in their order: an utterance that fails leaves the others as they are. After so many failures in a row
// it begins no more, and the rest fail like the last.
func several[T any](ctx context.Context, budget time.Duration, us []messages.Utterance, work func(context.Context, messages.Utterance) (T, error)) (results []T, first error) {
	ctx, cancel := context.WithTimeout(ctx, budget)
	defer cancel()
	results = make([]T, len(us))
	errs := make([]error, len(us))
	var next, failures atomic.Int64
	var last atomic.Pointer[error]
	var workers panics.Group
	for range min(together, len(us)) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(us)); i = next.Add(1) - 1 {
				if failures.Load() >= patience {
					errs[i] = *last.Load()
					continue
				}
				got, err := attempt(ctx, budget, func(ctx context.Context) (T, error) { return work(ctx, us[i]) })
				if err != nil {
					errs[i] = err
					last.Store(&err)
					failures.Add(1)
					continue
				}
				results[i] = got
				failures.Store(0)
			}
		})
	}
	workers.Wait()
	return results, cmp.Or(errs...)
}

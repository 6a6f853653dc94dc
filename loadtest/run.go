package loadtest

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Run makes the load and reports what came of it. It returns when every client has ended. An error means that the
// options are wrong, or that ctx ended before the run did; in the latter case the report holds what there was until
// then.
func Run(ctx context.Context, o Options) (*Report, error) {
	o = o.withDefaults()
	if err := o.check(); err != nil {
		return nil, err
	}
	a := newAPI(o.URL, o.Key)
	defer a.close()
	start := time.Now()
	f := newFigures(start, span(o))

	begin := o.beginnings()
	errs := make([]error, o.Sessions)
	var clients sync.WaitGroup
	for i := range o.Sessions {
		c := &client{number: i, options: o, api: a, figures: f}
		clients.Go(func() {
			errs[i] = c.play(ctx, o.tracks(i), start.Add(begin[i]))
		})
	}
	ended := make(chan struct{})
	var watcher sync.WaitGroup
	if o.Progress != nil {
		watcher.Go(func() { f.watch(ended, o.Progress) })
	}
	clients.Wait()
	close(ended)
	watcher.Wait()
	return newReport(o, f, time.Since(start)), errors.Join(uniq(errs)...)
}

// span is how long audio is sent if all goes well: the longest client's.
func span(o Options) time.Duration {
	longest := time.Duration(0)
	for i, sum := range o.beginnings() {
		for _, t := range o.tracks(i) {
			sum += t.duration(t.length)
		}
		longest = max(longest, sum)
	}
	return longest
}

// uniq leaves out errors that say the same: all clients end with one cause.
func uniq(errs []error) []error {
	seen := map[string]bool{}
	var out []error
	for _, err := range errs {
		if err != nil && !seen[err.Error()] {
			seen[err.Error()] = true
			out = append(out, err)
		}
	}
	return out
}

package loadtest

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Run makes the load and reports what came of it. It returns when every client has ended. An error
// means that the options are wrong, or that ctx ended before the run did; in the latter case the
// report holds what there was until then.
func Run(ctx context.Context, o Options) (*Report, error) {
	o = o.withDefaults()
	if err := o.check(); err != nil {
		return nil, err
	}
	plans := o.plans()
	if err := o.checkWarmUp(plans); err != nil {
		return nil, err
	}
	a := newAPI(o.URL, o.Key, o.dial)
	defer a.close()
	r := &run{options: o, api: a, plans: plans}
	r.figures = newFigures(time.Now(), spanOf(plans))
	if o.WarmUp > 0 {
		r.figures.from = r.figures.start.Add(plans[len(plans)-1].begin + o.WarmUp)
		r.figures.until = r.figures.start.Add(plans[0].end())
	}
	r.meter = newMeter(r.figures, o.URL)
	err := r.play(ctx)
	report := newReport(r)
	report.Interrupted = err != nil
	return report, err
}

// run is one load.
type run struct {
	options Options
	api     *api
	plans   []plan
	figures *figures
	meter   *meter
}

// play has all clients speak, and returns when they have ended.
func (r *run) play(ctx context.Context) error {
	life, over := context.WithCancel(context.Background())
	defer over()
	var helpers sync.WaitGroup
	schedules := make([]*schedule, processors())
	for i := range schedules {
		schedules[i] = newSchedule(r.figures)
		helpers.Go(func() { schedules[i].run(life) })
	}
	helpers.Go(func() { r.meter.watch(life.Done(), r.options.Progress) })

	errs := make([]error, len(r.plans))
	var clients sync.WaitGroup
	for i, p := range r.plans {
		c := &client{number: i, options: r.options, api: r.api, figures: r.figures,
			schedule: schedules[i%len(schedules)]}
		clients.Go(func() { errs[i] = c.play(ctx, p.tracks, r.figures.start.Add(p.begin)) })
	}
	clients.Wait()
	over()
	helpers.Wait()
	return errors.Join(uniq(errs)...)
}

// spanOf is how long audio is sent if all goes well: the longest client's.
func spanOf(plans []plan) time.Duration {
	longest := time.Duration(0)
	for _, p := range plans {
		longest = max(longest, p.end())
	}
	return longest
}

// uniq leaves out errors with the same text: all clients end with one cause.
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

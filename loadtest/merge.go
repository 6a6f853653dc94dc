package loadtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"time"
)

// maxReport bounds the size of a report that is read.
const maxReport = 64 << 20

// ReadReport reads a report that was written as JSON.
func ReadReport(path string) (*Report, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open report: %w", err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxReport))
	if err != nil {
		return nil, fmt.Errorf("read report: %w", err)
	}
	var r Report
	if err := json.Unmarshal(b, &r); err != nil {
		return nil, fmt.Errorf("decode %s: %w", path, err)
	}
	if r.Format != reportFormat {
		return nil, fmt.Errorf("%s has format %d, not %d", path, r.Format, reportFormat)
	}
	for _, o := range r.Objectives {
		if !o.known() {
			return nil, fmt.Errorf("%s has an objective that is not known, measure %q and quantile %q", path,
				o.Measure, o.Quantile)
		}
	}
	return &r, nil
}

// Merge makes one report of the reports of several generators that put load on one server at the
// same time. Delays are those of all sessions together. What generators tell about themselves is
// that of the worst one. Of percentiles in the time series the greatest one is kept, which is an
// upper bound.
func Merge(reports ...*Report) (*Report, error) {
	if len(reports) == 0 {
		return nil, errors.New("no reports to merge")
	}
	sum := *reports[0]
	sum.Closes, sum.Errors, sum.Objectives, sum.Series = map[int]int{}, map[string]int{}, nil, nil
	sum.Sessions, sum.Audio, sum.counts = 0, 0, counts{}
	delays, err := (&Report{}).decodeHistograms()
	if err != nil {
		return nil, err
	}
	var words wordErrors
	for _, r := range reports {
		if r.Capacity != nil {
			return nil, errors.New("reports of searches for a capacity cannot be merged")
		}
		if a, b := reports[0].Load.URL, r.Load.URL; strings.TrimRight(a, "/") != strings.TrimRight(b, "/") {
			return nil, fmt.Errorf("reports of different servers cannot be merged: %s and %s", a, b)
		}
		of, err := r.decodeHistograms()
		if err != nil {
			return nil, err
		}
		for m := range delays {
			delays[m].Merge(of[m])
		}
		sum.include(r)
		if r.Words != nil {
			words.add(r.Words.wordErrors)
		}
	}
	if words.Recordings > 0 {
		sum.Words = &WordErrors{words, words.rate()}
	}
	sum.Series = mergedSeries(&sum, reports)
	sum.setDelays(delays)
	var objectives []Objective
	for _, o := range reports[0].Objectives {
		objectives = append(objectives, o.Objective)
	}
	sum.Judge(objectives)
	return &sum, nil
}

// Overlap reports whether there was a time in which all runs were under way. The clocks of their
// generators are believed.
func Overlap(reports ...*Report) bool {
	last, first := reports[0].Started, reports[0].ended()
	for _, r := range reports {
		if r.Started.After(last) {
			last = r.Started
		}
		if r.ended().Before(first) {
			first = r.ended()
		}
	}
	return last.Before(first)
}

// include adds the plain numbers of another report.
func (r *Report) include(o *Report) {
	r.Sessions += o.Sessions
	r.Audio += o.Audio
	r.Interrupted = r.Interrupted || o.Interrupted
	end := r.ended()
	if o.ended().After(end) {
		end = o.ended()
	}
	if o.Started.Before(r.Started) {
		r.Started = o.Started
	}
	r.Wall = end.Sub(r.Started).Seconds()
	r.counts.add(o.counts)
	for code, n := range o.Closes {
		r.Closes[code] += n
	}
	for kind, n := range o.Errors {
		r.Errors[kind] += n
	}
	r.Generator.Lag = max(r.Generator.Lag, o.Generator.Lag)
	r.Generator.Used = max(r.Generator.Used, o.Generator.Used)
	r.Generator = r.Generator.judged()
	if r.Server == nil {
		r.Server = o.Server
	}
}

// ended is when a run was over.
func (r *Report) ended() time.Time { return r.Started.Add(seconds(r.Wall)) }

// mergedSeries is the time series of several runs together, which began and ended with sum.
func mergedSeries(sum *Report, reports []*Report) []Point {
	step := 1.0 // seconds
	for sum.Wall/step >= maxPoints {
		step *= 2
	}
	var all []Point
	for _, r := range reports {
		for i, p := range r.pointsOf(r.Started.Sub(sum.Started).Seconds(), step) {
			for len(all) <= i {
				all = append(all, Point{At: float64(len(all)+1) * step})
			}
			at := all[i].At
			all[i] = beside(all[i], p)
			all[i].At = at
		}
	}
	return all
}

// pointsOf returns the points of a run by the steps of another one that they lie in. The run began
// so many seconds later. A point that is longer than a step is in all that it covers, with what is
// counted in the last of them.
func (r *Report) pointsOf(late, step float64) map[int]Point {
	const unsure = 0.5 // seconds by which a point may come late
	points := map[int]Point{}
	next := min(int(late/step), maxPoints)
	for _, p := range r.Series {
		last := int(min(max(math.Ceil((late+p.At-unsure)/step)-1, 0), maxPoints))
		for i := min(next, last); i <= last; i++ {
			q := p
			if i < last {
				q.Frames, q.Errors = 0, 0
			}
			if old, known := points[i]; known {
				q = join(old, q)
			}
			points[i] = q
		}
		next = last + 1
	}
	return points
}

// beside joins points of two generators at one time.
func beside(a, b Point) Point {
	j := join(a, b)
	j.Sessions = a.Sessions + b.Sessions
	j.OwnCPU = a.OwnCPU + b.OwnCPU
	j.ServerCPU = max(a.ServerCPU, b.ServerCPU)
	return j
}

func (c *counts) add(o counts) {
	for _, p := range []struct {
		sum *int
		n   int
	}{
		{&c.Finals, o.Finals}, {&c.Partials, o.Partials}, {&c.Withdrawn, o.Withdrawn}, {&c.Repeats, o.Repeats},
		{&c.Differing, o.Differing}, {&c.Missing, o.Missing}, {&c.Unrecorded, o.Unrecorded}, {&c.Gaps, o.Gaps},
		{&c.Dropped, o.Dropped}, {&c.Reconnects, o.Reconnects}, {&c.Followed, o.Followed},
		{&c.Unfollowed, o.Unfollowed},
		{&c.Done, o.Done}, {&c.Failed, o.Failed},
	} {
		*p.sum += p.n
	}
}

func (w *wordErrors) add(o wordErrors) {
	w.Recordings += o.Recordings
	w.Words += o.Words
	w.Errors += o.Errors
}

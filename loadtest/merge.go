package loadtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
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
	return &r, nil
}

// Merge makes one report of the reports of several generators that put load on one server at the same time. Delays are those
// of all sessions together. What generators tell about themselves is that of the worst one. Of percentiles in the time series
// the greatest one is kept, which is an upper bound.
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
	sum.setDelays(delays)
	var objectives []Objective
	for _, o := range reports[0].Objectives {
		objectives = append(objectives, o.Objective)
	}
	sum.Judge(objectives)
	return &sum, nil
}

// Overlap reports whether there was a time in which all runs were under way. The clocks of their generators are believed.
func Overlap(reports ...*Report) bool {
	last, first := reports[0].Started, reports[0].Started.Add(seconds(reports[0].Wall))
	for _, r := range reports {
		if r.Started.After(last) {
			last = r.Started
		}
		if end := r.Started.Add(seconds(r.Wall)); end.Before(first) {
			first = end
		}
	}
	return last.Before(first)
}

// include adds the plain numbers of another report.
func (r *Report) include(o *Report) {
	r.Sessions += o.Sessions
	r.Audio += o.Audio
	r.Wall = max(r.Wall, o.Wall)
	r.Interrupted = r.Interrupted || o.Interrupted
	if o.Started.Before(r.Started) {
		r.Started = o.Started
	}
	r.counts.add(o.counts)
	for code, n := range o.Closes {
		r.Closes[code] += n
	}
	for kind, n := range o.Errors {
		r.Errors[kind] += n
	}
	for i, p := range o.Series {
		if i == len(r.Series) {
			r.Series = append(r.Series, Point{At: p.At})
		}
		r.Series[i] = beside(r.Series[i], p)
	}
	r.Generator.Lag = max(r.Generator.Lag, o.Generator.Lag)
	r.Generator.Used = max(r.Generator.Used, o.Generator.Used)
	r.Generator = r.Generator.judged()
	if r.Server == nil {
		r.Server = o.Server
	}
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
		{&c.Dropped, o.Dropped}, {&c.Reconnects, o.Reconnects}, {&c.Followed, o.Followed}, {&c.Unfollowed, o.Unfollowed},
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

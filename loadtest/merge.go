package loadtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
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

// Difference is one figure of two reports.
type Difference struct {
	Name     string
	Old, New float64
	Worse    bool // by more than the tolerance
	Better   bool // by more than the tolerance
	Seconds  bool // it is a delay
}

// Tolerance says by how much a figure may be worse.
type Tolerance struct {
	Share float64 // of the old figure
	Delay float64 // seconds; a delay is not worse that has grown by less
}

// Compare holds a report against an older one.
func Compare(old, now *Report, t Tolerance) []Difference {
	var all []Difference
	for m := range measures {
		a, b := *old.Delays.of(m), *now.Delays.of(m)
		if a.Count == 0 || b.Count == 0 || slices.Contains([]measure{senderLag, firstThird, lastThird}, m) {
			continue
		}
		for _, q := range []string{"p50", "p95", "p99"} {
			d := Difference{Name: fmt.Sprintf("%s_%s", m, q), Old: a.quantile(q), New: b.quantile(q), Seconds: true}
			all = append(all, d.judged(t.Share, t.Delay))
		}
	}
	all = append(all, Difference{Name: "errors", Old: float64(old.problems()), New: float64(now.problems())}.judged(t.Share, 0))
	if old.Words != nil && now.Words != nil {
		all = append(all, Difference{Name: "wer", Old: old.Words.Rate, New: now.Words.Rate}.judged(t.Share, 0))
	}
	if old.Capacity != nil && now.Capacity != nil {
		d := Difference{Name: "capacity", Old: float64(-old.Capacity.Sessions), New: float64(-now.Capacity.Sessions)}.judged(t.Share, 0)
		d.Old, d.New = -d.Old, -d.New
		all = append(all, d)
	}
	return all
}

// judged tells whether a figure of which less is better has changed by more than a share, and by more than least.
func (d Difference) judged(share, least float64) Difference {
	change, room := d.New-d.Old, share*max(d.Old, -d.Old)
	d.Worse = change > room && change > least
	d.Better = -change > room && -change > least
	return d
}

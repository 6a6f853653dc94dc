package loadtest

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Objective is one thing that is promised: a percentile of a delay, or a share of things that go
// wrong, at most so much.
type Objective struct {
	Measure  string  `json:"measure"`  // "ack", "final", …, or "errors", "wer"
	Quantile string  `json:"quantile"` // "p50" … "max"; empty for errors and wer
	Limit    float64 `json:"limit"`    // seconds; sessions that failed and errors; word error rate
}

// Outcome is an objective and what came of it.
type Outcome struct {
	Objective
	Value float64 `json:"value"`
	// Count is how many values there were. Without any, an objective is not kept.
	Count int64 `json:"count"`
	Kept  bool  `json:"kept"`
}

// quantiles are those that objectives may name.
var quantiles = []string{"p50", "p90", "p95", "p99", "p999", "max"}

// Measures lists the names of the delays that objectives may be about.
func Measures() []string { return slices.Clone(measureNames[:]) }

// Quantiles lists the names of the quantiles of delays that objectives may be about.
func Quantiles() []string { return slices.Clone(quantiles) }

// quantile returns the value of a quantile by its name.
func (d Delay) quantile(name string) float64 {
	return []float64{d.P50, d.P90, d.P95, d.P99, d.P999, d.Max}[slices.Index(quantiles, name)]
}

// ParseObjectives reads a list such as "final_p95=600ms,ack_p99=50ms,errors=0,wer=0.2".
func ParseObjectives(list string) ([]Objective, error) {
	var all []Objective
	for item := range strings.SplitSeq(list, ",") {
		o, err := parseObjective(strings.TrimSpace(item))
		if err != nil {
			return nil, fmt.Errorf("objective %q: %w", item, err)
		}
		all = append(all, o)
	}
	return all, nil
}

func parseObjective(text string) (Objective, error) {
	name, limit, ok := strings.Cut(text, "=")
	if !ok {
		return Objective{}, fmt.Errorf("must have the form NAME_QUANTILE=LIMIT, such as final_p95=600ms")
	}
	if name == "errors" || name == "wer" {
		v, err := strconv.ParseFloat(limit, 64)
		if err != nil || !(v >= 0) || math.IsInf(v, 1) {
			return Objective{}, fmt.Errorf("limit must be a number from 0 on")
		}
		return Objective{Measure: name, Limit: v}, nil
	}
	o := Objective{}
	if at := strings.LastIndexByte(name, '_'); at > 0 {
		o.Measure, o.Quantile = name[:at], name[at+1:]
	}
	if !o.known() {
		return Objective{}, fmt.Errorf("name must be errors, wer, or one of %s with one of _%s",
			strings.Join(measureNames[:], ", "), strings.Join(quantiles, ", _"))
	}
	d, err := time.ParseDuration(limit)
	if err != nil || d <= 0 {
		return Objective{}, fmt.Errorf("limit must be a duration above 0, such as 600ms")
	}
	o.Limit = d.Seconds()
	return o, nil
}

// known reports whether there is such a measure, with such a quantile.
func (o Objective) known() bool {
	if o.Measure == "errors" || o.Measure == "wer" {
		return o.Quantile == ""
	}
	return slices.Contains(measureNames[:], o.Measure) && slices.Contains(quantiles, o.Quantile)
}

// CheckObjectives tells which of the objectives can never be kept, as a run with these options does
// not measure them.
func (o Options) CheckObjectives(objectives []Objective) error {
	o = o.withDefaults()
	if err := o.check(); err != nil {
		return err
	}
	plans := sync.OnceValue(o.plans)
	for _, j := range objectives {
		if why := o.unmeasured(j, plans); why != "" {
			return fmt.Errorf("objective %s cannot be measured: %s", j, why)
		}
	}
	return nil
}

// unmeasured returns why a run with these plans does not measure what an objective is about, "" if
// it does.
func (o Options) unmeasured(j Objective, plans func() []plan) string {
	if j.Measure == "wer" {
		switch {
		case !o.hasTranscript():
			return "no recording that is played on one channel has a transcript"
		case !slices.ContainsFunc(plans(), plan.hasWhole):
			return "no recording with a transcript is played from beginning to end"
		}
		return ""
	}
	m := measure(slices.Index(measureNames[:], j.Measure)) // -1 of errors
	switch {
	case m == subscriberDelay && o.Subscribers == 0:
		return "there are no subscribers"
	case (m == partialDelay || m == firstPartial) && !o.Partials:
		return "partials are not asked for"
	case (m == createDelay || m == connectDelay && o.DropEvery == 0) && o.WarmUp > 0 && !slices.ContainsFunc(plans(),
		plan.opensAgain):
		return "the sessions begin before the time that counts"
	case m == firstThird && o.WarmUp > 0 && !o.countsFirstThird(plans):
		return "the time that counts begins behind the first third"
	case slices.Contains(ofReaders, m) && o.allReadSlowly():
		return "all clients read slowly"
	}
	return ""
}

// ofReaders are the delays of messages to a client. Where the client reads slowly they are not the
// server's.
var ofReaders = []measure{ackDelay, partialDelay, firstPartial, finalDelay, cutDelay, decisionDelay, firstThird,
	lastThird}

func (o Options) hasTranscript() bool {
	return o.Channels <= 1 && slices.ContainsFunc(o.Clips, func(c *Clip) bool {
		return c.Transcript != "" &&
			c.Format.Channels == 1
	})
}

// String returns the objective as it is given on the command line.
func (o Objective) String() string {
	if o.Quantile == "" {
		return fmt.Sprintf("%s=%g", o.Measure, o.Limit)
	}
	return fmt.Sprintf("%s_%s=%v", o.Measure, o.Quantile, seconds(o.Limit))
}

// Text describes the value.
func (o Outcome) Text() string {
	switch {
	case o.Count == 0:
		return "nothing was measured"
	case o.Quantile == "":
		return fmt.Sprintf("%.4g", o.Value)
	}
	return seconds(o.Value).Round(100 * time.Microsecond).String()
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// Judge holds the report against objectives, and keeps the outcomes. It reports whether all of them
// were kept.
func (r *Report) Judge(objectives []Objective) bool {
	r.Objectives = nil
	kept := true
	for _, o := range objectives {
		outcome := r.outcome(o)
		r.Objectives = append(r.Objectives, outcome)
		kept = kept && outcome.Kept
	}
	return kept
}

func (r *Report) outcome(o Objective) Outcome {
	out := Outcome{Objective: o}
	switch o.Measure {
	case "errors":
		out.Value, out.Count = float64(r.problems()), int64(r.Done+r.Failed)
	case "wer":
		if r.Words != nil {
			out.Value, out.Count = r.Words.Rate, int64(r.Words.Words)
		}
	default:
		d := *r.Delays.of(measure(slices.Index(measureNames[:], o.Measure)))
		out.Value, out.Count = d.quantile(o.Quantile), d.Count
	}
	out.Kept = out.Count > 0 && out.Value <= o.Limit
	return out
}

func (r *Report) problems() int { return r.counts.problems(r.Errors) }

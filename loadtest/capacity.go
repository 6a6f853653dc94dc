package loadtest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"
)

// Search configures the search for the capacity of a server.
type Search struct {
	// Options are those of every trial. Sessions, Duration and WarmUp are set by the search.
	Options    Options
	Objectives []Objective

	Start      int           // sessions of the first trial; optional, 4, or Most where that is less
	Most       int           // sessions at most; optional, 10,000
	Resolution float64       // share of the capacity by which a step grows, 0.01 to 0.5; optional, 0.05
	Settle     time.Duration // time after the beginning of a trial that does not count; optional, 3 s
	Trial      time.Duration // time of a trial that counts; optional, 10 s
	Confirm    time.Duration // the same of the trials that confirm the outcome; optional, 60 s

	// Tried, if set, is called after each trial.
	Tried func(Trial)
}

// Capacity is what a search has found.
type Capacity struct {
	// Sessions is how many the server carries while it keeps what is promised. It was confirmed in
	// a long trial.
	Sessions int `json:"sessions"`
	Step     int `json:"step"` // the resolution: numbers that differ by less were not distinguished
	// Limit is the number that the server was shown not to carry, in a trial as long; 0: it carries
	// as many as were tried.
	Limit int `json:"limit"`
	// Unknown is why there is no outcome; empty: there is one.
	Unknown string  `json:"unknown,omitempty"`
	Trials  []Trial `json:"trials"`
	Wall    float64 `json:"wall_seconds"` // of the whole search
}

// Trial is one row of the evidence. Delays are in seconds.
type Trial struct {
	Kind      string     `json:"kind"` // "warm-up", "double", "bisect", "confirm" or "limit"
	Sessions  int        `json:"sessions"`
	Seconds   float64    `json:"seconds"` // that count
	Kept      bool       `json:"kept"`
	Why       string     `json:"why,omitempty"` // it was not kept
	Ack       Delay      `json:"ack"`
	Partial   Delay      `json:"partial"`
	Final     Delay      `json:"final"`
	Failed    int        `json:"failed"`
	Errors    int        `json:"errors"`
	Server    *ServerUse `json:"server,omitempty"`
	Generator Generator  `json:"generator"`
}

// Confirmed reports whether a long trial has shown that so many sessions are carried.
func (t Trial) Confirmed() bool { return t.Kept && (t.Kind == trialConfirm || t.Kind == trialLimit) }

func (s Search) withDefaults() Search {
	set := func(d *time.Duration, value time.Duration) {
		if *d == 0 {
			*d = value
		}
	}
	set(&s.Settle, 3*time.Second)
	set(&s.Trial, 10*time.Second)
	set(&s.Confirm, time.Minute)
	if s.Most == 0 {
		s.Most = 10_000
	}
	if s.Start == 0 {
		s.Start = min(4, max(1, s.Most))
	}
	if s.Resolution == 0 {
		s.Resolution = 0.05
	}
	s.Options.Sessions, s.Options.Duration = s.Start, s.Trial
	s.Options = s.Options.withDefaults()
	return s
}

func (s Search) check() error {
	switch {
	case len(s.Objectives) == 0:
		return errors.New("a search needs objectives, such as final_p95=600ms")
	case s.Start < 1 || s.Most < s.Start:
		return fmt.Errorf("a search must begin with 1 to %d sessions, not %d", s.Most, s.Start)
	case !(s.Resolution >= 0.01 && s.Resolution <= 0.5):
		return fmt.Errorf("resolution must be between 0.01 and 0.5, not %g", s.Resolution)
	case s.Settle < 0 || s.Trial < time.Second || s.Confirm < time.Second:
		return errors.New("trials must count for at least 1s")
	}
	if err := s.Options.check(); err != nil {
		return err
	}
	if err := s.trial(s.Start, s.Trial).CheckObjectives(s.Objectives); err != nil {
		return err
	}
	most := s.trial(s.Most, s.Trial)
	for _, j := range s.Objectives { // the clients of a greater trial need longer to begin
		if j.Measure == firstThird.String() && !most.countsFirstThird(most.plans) {
			return fmt.Errorf("objective %s cannot be measured: with %d sessions the time that counts begins "+
				"behind the first third", j, s.Most)
		}
	}
	return nil
}

// trial returns the options of a run with so many sessions, of which so much time counts.
func (s Search) trial(sessions int, counts time.Duration) Options {
	o := s.Options
	o.Sessions, o.WarmUp = sessions, s.Settle
	begin := o.beginnings()
	o.Duration = begin[len(begin)-1] + s.Settle + counts
	return o
}

// FindCapacity looks for the greatest number of sessions with which a server keeps the objectives,
// without any error. It doubles the sessions until there are too many, halves the difference until
// it is a step, confirms the number in a long trial and shows in another one that a step more is
// too many. What it returns is the report of the trial that confirmed, or of the last one, with the
// outcome in it. An error means that there is no outcome because the options are wrong or ctx has
// ended; in the latter case the report holds the trials until then. Where the generator was too
// slow a trial that missed an objective tells nothing; one that kept them counts, since its delays
// hold those of the generator.
func FindCapacity(ctx context.Context, s Search) (*Report, error) {
	s = s.withDefaults()
	if err := s.check(); err != nil {
		return nil, err
	}
	began := time.Now()
	t := &trials{Search: s, found: &Capacity{}}
	find := &search{start: s.Start, most: s.Most, resolution: s.Resolution, try: t.try}
	carried, limit, sure, err := find.run(ctx)
	t.found.Wall = time.Since(began).Seconds()
	switch {
	case err != nil:
		t.found.Unknown = err.Error()
	case !sure:
		t.found.Unknown = "the generator itself was too slow, or trials contradict each other"
	default:
		t.found.Sessions, t.found.Limit, t.found.Step = carried, limit, find.step(carried)
	}
	if t.best == nil {
		return nil, err
	}
	t.best.Capacity, t.best.Interrupted = t.found, err != nil
	return t.best, err
}

// trials makes the runs of a search.
type trials struct {
	Search
	found *Capacity
	best  *Report // the last one that was confirmed, or else the last one
	sure  bool    // best was confirmed
}

// try makes one run and judges it.
func (t *trials) try(ctx context.Context, kind string, sessions int) (result, error) {
	counts := t.Trial
	if kind == trialConfirm || kind == trialLimit {
		counts = t.Confirm
	}
	r, err := Run(ctx, t.Search.trial(sessions, counts))
	if err != nil {
		return missed, err
	}
	row := t.judge(kind, counts, r)
	t.found.Trials = append(t.found.Trials, row)
	if confirmed := kind == trialConfirm && row.Kept; confirmed || !t.sure {
		t.best, t.sure = r, confirmed
	}
	if kind == trialLimit && row.Kept {
		t.best = r
	}
	if t.Tried != nil {
		t.Tried(row)
	}
	switch {
	case row.Kept:
		return kept, nil
	case r.Generator.Saturated != "":
		return unclear, nil
	}
	return missed, nil
}

// judge sums a run up.
func (t *trials) judge(kind string, counts time.Duration, r *Report) Trial {
	row := Trial{
		Kind: kind, Sessions: r.Sessions, Seconds: counts.Seconds(), Kept: r.Judge(t.Objectives),
		Ack: r.Delays.Ack, Partial: r.Delays.Partial, Final: r.Delays.Final,
		Failed: r.Failed, Errors: r.problems(), Server: r.Server, Generator: r.Generator,
	}
	for _, o := range r.Objectives {
		if !o.Kept && row.Why == "" {
			row.Why = fmt.Sprintf("%s: %s", o.Objective, o.Text())
		}
	}
	if row.Ack.Count+row.Partial.Count+row.Final.Count+r.Delays.Subscriber.Count == 0 {
		row.Kept, row.Why = false, "nothing was measured"
	}
	if !r.OK() {
		row.Kept, row.Why = false, fmt.Sprintf("%d sessions failed, %d errors", r.Failed, row.Errors)
	}
	if !row.Kept && r.Generator.Saturated != "" {
		row.Why += "; but the generator was saturated: " + r.Generator.Saturated
	}
	return row
}

// WriteText writes the evidence and the outcome for people.
func (c *Capacity) WriteText(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "sessions\ttrial\ts\tack p95\tp99\tpartial p95\tfinal p50\tp95\tp99\tserver CPU\town CPU\tlag "+
		"p99\t  \t\n")
	for _, r := range c.Trials {
		server := "-"
		if r.Server != nil {
			server = fmt.Sprintf("%.2f", r.Server.Processor)
		}
		word := "kept"
		if !r.Kept {
			word = "MISSED"
		}
		fmt.Fprintf(t, "%d\t%s\t%.0f\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%.0f %%\t%s\t%s\t\n", r.Sessions, r.Kind, r.Seconds,
			milliseconds(r.Ack.P95), milliseconds(r.Ack.P99), milliseconds(r.Partial.P95), milliseconds(r.Final.P50),
			milliseconds(r.Final.P95),
			milliseconds(r.Final.P99), server, 100*r.Generator.Used, milliseconds(r.Generator.Lag), word)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s\n", c.Text())
	return err
}

// Text is the outcome in a sentence.
func (c *Capacity) Text() string {
	switch {
	case c.Unknown != "":
		return "capacity unknown: " + c.Unknown
	case c.Sessions == 0:
		return "capacity: 0 sessions; not even one is carried"
	case c.Limit == 0:
		return fmt.Sprintf("capacity: at least %d sessions; more were not tried", c.Sessions)
	}
	return fmt.Sprintf("capacity: %d sessions (step %d; %d missed)", c.Sessions, c.Step, c.Limit)
}

func milliseconds(s float64) string { return fmt.Sprintf("%.1f", 1e3*s) }

package loadtest

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Difference is one figure of two reports.
type Difference struct {
	Name     string
	Old, New float64 // not a number where the report does not have the figure
	Worse    bool    // by more than the tolerance, or gone
	Better   bool    // by more than the tolerance
	Seconds  bool    // it is a delay
}

// Tolerance is by how much a figure may be worse.
type Tolerance struct {
	Share float64 // of the old figure
	Delay float64 // seconds; a delay is not worse that has grown by less
}

// none stands for a figure that a report does not have.
var none = math.NaN()

// Compare holds a report against an older one. A figure that only the older one has counts as
// worse: of a measure without delays there is one difference, how many there were.
func Compare(old, now *Report, t Tolerance) []Difference {
	var all []Difference
	for m := range measures {
		if !slices.Contains([]measure{senderLag, firstThird, lastThird}, m) {
			all = append(all, compareDelays(m, *old.Delays.of(m), *now.Delays.of(m), t)...)
		}
	}
	all = append(all, Difference{Name: "errors", Old: float64(old.problems()),
		New: float64(now.problems())}.judged(t.Share, 0))
	if d := (Difference{Name: "wer", Old: rateOrNone(old.Words), New: rateOrNone(now.Words)}); d.known() {
		all = append(all, d.judged(t.Share, 0))
	}
	if d := (Difference{Name: "capacity", Old: -foundOrNone(old.Capacity),
		New: -foundOrNone(now.Capacity)}); d.known() {
		d = d.judged(t.Share, 0)
		d.Old, d.New = -d.Old, -d.New
		all = append(all, d)
	}
	return all
}

// compareDelays compares the usual quantiles of one measure, or its counts where one of the reports
// has no delays of it.
func compareDelays(m measure, old, now Delay, t Tolerance) []Difference {
	if old.Count == 0 || now.Count == 0 {
		d := Difference{Name: m.String(), Old: countOrNone(old.Count), New: countOrNone(now.Count)}
		if !d.known() {
			return nil
		}
		return []Difference{d.judged(t.Share, 0)}
	}
	var all []Difference
	for _, q := range []string{"p50", "p95", "p99"} {
		d := Difference{Name: fmt.Sprintf("%s_%s", m, q), Old: old.quantile(q), New: now.quantile(q), Seconds: true}
		all = append(all, d.judged(t.Share, t.Delay))
	}
	return all
}

func countOrNone(n int64) float64 {
	if n == 0 {
		return none
	}
	return float64(n)
}

func rateOrNone(w *WordErrors) float64 {
	if w == nil {
		return none
	}
	return w.Rate
}

// foundOrNone is the capacity that a search has found.
func foundOrNone(c *Capacity) float64 {
	if c == nil || c.Unknown != "" {
		return none
	}
	return float64(c.Sessions)
}

// known reports whether one of the reports has the figure.
func (d Difference) known() bool { return !math.IsNaN(d.Old) || !math.IsNaN(d.New) }

// judged tells whether a figure of which less is better has changed by more than a share, and by
// more than least, or is gone.
func (d Difference) judged(share, least float64) Difference {
	change, room := d.New-d.Old, share*max(d.Old, -d.Old)
	d.Worse = change > room && change > least || math.IsNaN(d.New)
	d.Better = -change > room && -change > least
	return d
}

// Doubts returns why a comparison of two reports may mislead: one of them measured no server, or
// their loads differ.
func Doubts(old, now *Report) []string {
	var all []string
	for _, r := range []struct {
		name string
		*Report
	}{{"older", old}, {"newer", now}} {
		if r.Interrupted {
			all = append(all, fmt.Sprintf("the %s run was interrupted: its figures are those of a part", r.name))
		}
		if r.Generator.Saturated != "" {
			all = append(all, fmt.Sprintf("the generator of the %s report was saturated: %s", r.name,
				r.Generator.Saturated))
		}
	}
	if unlike := unlikeLoads(old, now); len(unlike) > 0 {
		all = append(all, "the loads differ: "+strings.Join(unlike, ", "))
	}
	return all
}

// unlikeLoads lists by what the loads of two reports differ, as "sessions 20 and 50". How many
// sessions there were, and for how long, follows from the outcome where both are of searches.
func unlikeLoads(old, now *Report) []string {
	a, b := old.Load, now.Load
	var all []string
	differ := func(name string, x, y any) {
		if x != y {
			all = append(all, fmt.Sprintf("%s %v and %v", name, x, y))
		}
	}
	if old.Capacity == nil || now.Capacity == nil {
		differ("sessions", old.Sessions, now.Sessions)
		differ("duration", seconds(a.Duration), seconds(b.Duration))
	}
	if a.First != "" && b.First != "" { // older reports do not tell
		differ("first recording", a.First, b.First)
	}
	differ("recordings", a.Recordings, b.Recordings)
	differ("audio", a.Audio, b.Audio)
	differ("chunk", seconds(old.Chunk), seconds(now.Chunk))
	differ("warm-up", seconds(a.WarmUp), seconds(b.WarmUp))
	differ("endpointing", seconds(a.Endpointing), seconds(b.Endpointing))
	differ("max-utterance", seconds(a.MaxUtterance), seconds(b.MaxUtterance))
	differ("language", strings.Join(a.Languages, ","), strings.Join(b.Languages, ","))
	differ("no-partials", a.NoPartials, b.NoPartials)
	differ("jitter", seconds(a.Jitter), seconds(b.Jitter))
	differ("silence", a.Silence, b.Silence)
	differ("drop-every", seconds(a.DropEvery), seconds(b.DropEvery))
	differ("slow-readers", a.SlowReaders, b.SlowReaders)
	differ("subscribers", a.Subscribers, b.Subscribers)
	return all
}

package loadtest

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

//go:embed report.html
var reportPage string

// page is what the template of a report shows.
type page struct {
	*Report
	Title   template.HTML // the report in a sentence
	Lede    template.HTML // what proves it
	Main    figure
	Figures []figure // half as wide
	Rows    []delayRow
	Trials  []Trial // of a search, by sessions
	Fair    string
	Facts   []fact
	Kinds   []fact // of errors
}

type figure struct {
	Name string
	SVG  template.HTML
	Text string
}

// fact is a name and a value.
type fact struct{ Name, Value string }

var reportTemplate = template.Must(template.New("report").Funcs(template.FuncMap{
	"ms":      func(s float64) string { return grouped(1e3 * s) },
	"percent": func(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) },
}).Parse(reportPage))

// pageText makes the sentences and drawings of a report's page.
type pageText struct{ *Report }

// WriteHTML writes the report as a page that needs nothing else: no other file, no network.
func (r *Report) WriteHTML(w io.Writer) error {
	delays, err := r.decodeHistograms()
	if err != nil {
		return err
	}
	text := pageText{r}
	p := page{Report: r, Fair: text.fairness(), Facts: text.facts(), Rows: r.Delays.rows()}
	p.Rows = slices.DeleteFunc(p.Rows, func(d delayRow) bool { return d.delay.Count == 0 })
	p.Title, p.Lede = text.headline()
	for _, kind := range slices.Sorted(maps.Keys(r.Errors)) {
		p.Kinds = append(p.Kinds, fact{kind, grouped(float64(r.Errors[kind]))})
	}
	curve := figure{"Distribution", template.HTML(""),
		"How many of 100 came within which time. The further right, the rarer the delay."}
	if c := r.Capacity; c != nil && len(c.carried()) > 1 {
		p.Trials = c.carried()
		plot := text.capacityPlot()
		p.Main = figure{"", plot.large(), text.capacityCaption(plot.hatched())}
		curve.SVG = text.percentilePlot(delays).small()
		p.Figures = append(p.Figures, curve)
	} else {
		curve.SVG = text.percentilePlot(delays).large()
		p.Main = curve
	}
	p.Figures = append(p.Figures, text.seriesPlots()...)
	if err := reportTemplate.Execute(w, p); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

// Name and Delay return the parts of a row to the template.
func (d delayRow) Name() string { return d.name }
func (d delayRow) Delay() Delay { return d.delay }

// carried returns one trial for each number of sessions, the longest one, by rising number.
func (c *Capacity) carried() []Trial {
	best := map[int]Trial{}
	for _, t := range c.Trials {
		if old, known := best[t.Sessions]; t.Kind != trialWarmUp && (!known || t.Seconds >= old.Seconds) {
			best[t.Sessions] = t
		}
	}
	var all []Trial
	for _, n := range slices.Sorted(maps.Keys(best)) {
		all = append(all, best[n])
	}
	return all
}

// headline returns the report in a sentence, and what proves it.
func (r pageText) headline() (title, lede template.HTML) {
	number, people := grouped(float64(r.Sessions)), noun(r.Sessions, "person", "people")
	switch {
	case r.NoneBegan():
		return sentence("No session began: %s.", r.mainError()), r.proof()
	case r.Interrupted && r.Capacity != nil:
		return "The search was interrupted.", "It has no outcome: this report cannot say what the server carries."
	case r.Interrupted:
		return "The run was interrupted.", sentence("Until then <em>%s</em> %s spoke, for %s%s. ", number, people,
			r.spoken(), r.average()) + r.proof()
	case r.Capacity != nil:
		return r.capacityHeadline()
	case r.Generator.Saturated != "":
		return "This report cannot say how fast the server is.",
			sentence("The generator itself was too slow: %s. Run it on another machine, or on more cores.",
				r.Generator.Saturated)
	case r.Failed > 0:
		all := r.Done + r.Failed
		return sentence("<em>%s</em> of %s %s failed.", grouped(float64(r.Failed)), grouped(float64(all)),
				noun(all, "session", "sessions")),
			sentence("%s %s to speak%s, and spoke for %s%s. ", number, people+" "+noun(r.Sessions, "was", "were"),
				r.atOnce(), r.spoken(), r.average()) + r.proof()
	}
	return sentence("<em>%s</em> %s spoke%s for %s.", number, people, r.atOnce(), r.spoken()), r.proof()
}

// noun returns the form of a word that fits a number.
func noun(n int, one, several string) string {
	if n == 1 {
		return one
	}
	return several
}

// atOnce and average are what is said of several clients only.
func (r pageText) atOnce() string  { return noun(r.Sessions, "", " at once") }
func (r pageText) average() string { return noun(r.Sessions, "", " on the average") }

// capacityHeadline returns the headline of the report of a finished search.
func (r pageText) capacityHeadline() (title, lede template.HTML) {
	c := r.Capacity
	number, people := grouped(float64(c.Sessions)), noun(c.Sessions, "person speaking at a time",
		"people speaking at once")
	switch {
	case c.Unknown != "":
		return "This report cannot say what the server carries.",
			sentence("The search ended without an outcome: %s. Run the generator on another machine, or on more "+
				"cores.", c.Unknown)
	case c.Sessions == 0:
		return "This server does not carry even one speaker as promised.", r.proof()
	case c.Limit == 0:
		return sentence("This server carries <em>at least %s</em> %s.", number, people), r.proof()
	}
	return sentence("This server carries <em>%s</em> %s.", number, people), r.proof()
}

// mainError is the error that came most often, without the place where it came.
func (r pageText) mainError() string {
	worst := ""
	for _, kind := range slices.Sorted(maps.Keys(r.Errors)) {
		if worst == "" || r.Errors[kind] > r.Errors[worst] {
			worst = kind
		}
	}
	return strings.TrimPrefix(worst, "session: create session: ")
}

// spoken is how long each client spoke on the average, about.
func (r pageText) spoken() string {
	d := seconds(r.Audio / float64(max(r.Sessions, 1)))
	if d < 2*time.Minute {
		return counted(int(math.Round(d.Seconds())), "second")
	}
	return counted(int(math.Round(d.Minutes())), "minute")
}

// shares are the quantiles in words.
var shares = map[string]string{
	"p50": "half of %s", "p90": "nine of ten %s", "p95": "nineteen of twenty %s", "p99": "99 of 100 %s",
	"p999": "999 of 1,000 %s", "max": "all %s",
}

// measured are how people call what is measured.
var measured = map[string]string{
	"ack": "acks", "partial": "partials", "first_partial": "first partials", "final": "finals",
	"final_of_cut": "finals of cut utterances", "final_after_speech_end": "finals after speech_end",
	"subscriber": "finals at subscribers", "create": "new sessions", "connect": "connections",
	"sender_lag": "frames of the generator", "final_first_third": "finals in the first third",
	"final_last_third": "finals in the last third",
}

// proof lists the values of the objectives, or the usual ones where there are none.
func (r pageText) proof() template.HTML {
	var parts []string
	for _, o := range r.Objectives {
		parts = append(parts, r.proofOf(o))
	}
	if len(parts) == 0 && r.Delays.Final.Count > 0 {
		parts = append(parts, fmt.Sprintf("Nineteen of twenty finals came within <b>%s</b> of the end of speech.",
			delayText(r.Delays.Final.P95)))
	}
	if len(parts) == 0 && r.Delays.Ack.Count > 0 {
		parts = append(parts, fmt.Sprintf("99 of 100 acks came within <b>%s</b>.", delayText(r.Delays.Ack.P99)))
	}
	if len(parts) == 0 {
		parts = append(parts, "Nothing was measured.")
	}
	if n := r.problems(); n > 0 {
		parts = append(parts, fmt.Sprintf("<b>%s</b> %s went wrong.", grouped(float64(n)), noun(n, "thing", "things")))
	}
	return template.HTML(strings.Join(parts, " ")) // made of numbers and names from above
}

func (r pageText) proofOf(o Outcome) string {
	verdict := "promised were"
	if !o.Kept {
		verdict = "<b>missed</b>: promised were"
	}
	if o.Count == 0 {
		return fmt.Sprintf("%s: nothing was measured.", o.Objective)
	}
	if o.Quantile == "" {
		name := map[string]string{"errors": "Errors", "wer": "Word error rate"}[o.Measure]
		return fmt.Sprintf("%s: <b>%s</b>; %s %g.", name, template.HTMLEscapeString(o.Text()), verdict, o.Limit)
	}
	who := fmt.Sprintf(shares[o.Quantile], measured[o.Measure])
	text := fmt.Sprintf("%s came within <b>%s</b>; %s %s.", strings.ToUpper(who[:1])+who[1:], delayText(o.Value),
		verdict, delayText(o.Limit))
	if c := r.Capacity; c != nil && c.Limit > 0 && o == r.Objectives[0] {
		text = fmt.Sprintf("At %d, %s came within <b>%s</b>; %s %s.", r.Sessions, who, delayText(o.Value), verdict,
			delayText(o.Limit))
		for _, t := range c.carried() {
			if d := t.delay(o.Measure); t.Sessions == c.Limit && d != nil && d.Count > 0 {
				text += fmt.Sprintf(" At %d they took <b>%s</b>.", t.Sessions, delayText(d.quantile(o.Quantile)))
			}
		}
	}
	return text
}

// delay returns the delays of a measure, nil if trials do not keep it.
func (t *Trial) delay(name string) *Delay {
	return map[string]*Delay{"ack": &t.Ack, "partial": &t.Partial, "final": &t.Final}[name]
}

// fairness describes whether the generator measured the server and not itself.
func (r pageText) fairness() string {
	var b strings.Builder
	g := r.Generator
	switch {
	case r.Interrupted:
		fmt.Fprintf(&b, "No. It was interrupted after %s: these are the figures of a part. ",
			seconds(r.Wall).Round(time.Second))
	case !r.measured():
		b.WriteString("No. Nothing was measured. ")
	case g.Saturated != "" && r.Capacity != nil && r.Capacity.Sessions > 0:
		fmt.Fprintf(&b, "The generator was slow itself: %s. All delays hold that, and what was promised was kept "+
			"all the same. ", g.Saturated)
	case g.Saturated != "":
		fmt.Fprintf(&b, "No. The generator was too slow: %s. ", g.Saturated)
	default:
		fmt.Fprintf(&b, "Yes. The frames of the generator went out at most %.1f ms late (p99), and it used %.0f %% "+
			"of %d processors. ", 1e3*g.Lag, 100*g.Used, g.Processors)
	}
	if r.Server != nil {
		b.WriteString("It shared the machine with the server. ")
	}
	problems := r.problems()
	if problems+r.Gaps+r.Reconnects+r.Repeats == 0 {
		b.WriteString("No gap, no error, nothing sent twice. ")
	} else {
		fmt.Fprintf(&b, "%s, %s in acks, %s, %s. ", counted(problems, "error"), counted(r.Gaps, "gap"),
			counted(r.Reconnects, "reconnection"), counted(r.Repeats, "repeated final"))
	}
	if r.Words != nil {
		fmt.Fprintf(&b, "Word error rate: %.1f %%.", 100*r.Words.Rate)
	}
	return b.String()
}

// facts lists what was tested.
func (r pageText) facts() []fact {
	l := r.Load
	all := []fact{
		{"Server", l.URL},
		{"Audio", fmt.Sprintf("recordings: %s, %s, frames of %.0f ms", grouped(float64(l.Recordings)), l.Audio,
			1e3*r.Chunk)},
		{"Sessions", fmt.Sprintf("%d done, %d failed, %s of audio", r.Done, r.Failed,
			seconds(r.Audio).Round(time.Second))},
		{"Transcripts", fmt.Sprintf("%s finals, %s partials", grouped(float64(r.Finals)),
			grouped(float64(r.Partials)))},
	}
	if r.Server != nil {
		all = append(all, fact{"Server used", fmt.Sprintf("%.2f processors, %d MiB at most", r.Server.Processor,
			mebibytes(r.Server.Memory))})
	}
	for _, extra := range []struct {
		asked bool
		fact  fact
	}{
		{len(l.Languages) > 0, fact{"Languages", strings.Join(l.Languages, ", ")}},
		{l.Endpointing > 0, fact{"Endpointing", delayText(l.Endpointing)}},
		{l.MaxUtterance > 0, fact{"Utterances cut", "after " + delayText(l.MaxUtterance)}},
		{l.Silence > 0, fact{"Pauses added", fmt.Sprintf("%.0f %% of the time", 100*l.Silence)}},
		{l.Jitter > 0, fact{"Jitter", "up to " + delayText(l.Jitter)}},
		{l.DropEvery > 0, fact{"Connections cut", fmt.Sprintf("every %s each, %d in all", delayText(l.DropEvery),
			r.Dropped)}},
		{l.SlowReaders > 0, fact{"Slow readers", fmt.Sprintf("%.0f %% of the clients", 100*l.SlowReaders)}},
		{l.Subscribers > 0, fact{"Subscribers", fmt.Sprintf("%d each, %d finals, %d missed", l.Subscribers, r.Followed,
			r.Unfollowed)}},
	} {
		if extra.asked {
			all = append(all, extra.fact)
		}
	}
	var promise []string
	for _, o := range r.Objectives {
		promise = append(promise, o.Objective.String())
	}
	if len(promise) > 0 {
		all = append(all, fact{"Promise", strings.Join(promise, ", ")})
	}
	return append(all, fact{"Seed", fmt.Sprint(l.Seed)})
}

// promised returns the first objective that is a percentile of a measure.
func (r pageText) promised(name string) *Objective {
	for i, o := range r.Objectives {
		if o.Measure == name && o.Quantile != "" {
			return &r.Objectives[i].Objective
		}
	}
	return nil
}

// leading is the measure that the plots put first: that of the first objective, else finals, else
// acks.
func (r pageText) leading() string {
	for _, o := range r.Objectives {
		if o.Measure == "ack" || o.Measure == "partial" || o.Measure == "final" {
			return o.Measure
		}
	}
	if r.Delays.Final.Count == 0 {
		return "ack"
	}
	return "final"
}

// quantileShown is the quantile of the plot of a search: that of the first objective of its leading
// measure.
func (r pageText) quantileShown() string {
	if o := r.promised(r.leading()); o != nil {
		return o.Quantile
	}
	return "p95"
}

// capacityPlot shows delays against sessions.
func (r pageText) capacityPlot() *plot {
	trials, lead, q := r.Capacity.carried(), r.leading(), r.quantileShown()
	p := &plot{id: "capacity", title: "Delays against sessions. " + r.Capacity.Text(), xLabel: "sessions",
		yText: delayText, xLimit: float64(trials[len(trials)-1].Sessions)}
	for i, name := range leadingFirst(lead) {
		l := line{name: name, style: []string{"accent", "second", "third"}[i], dots: true}
		for _, t := range trials {
			if d := t.delay(name); d.Count > 0 {
				l.points = append(l.points, point{float64(t.Sessions), d.quantile(q)})
			}
		}
		if len(l.points) > 0 {
			p.lines = append(p.lines, l)
		}
	}
	p.xTicks = ticksOf(trials, p.xLimit)
	if o := r.promised(lead); o != nil {
		p.level = &tick{o.Limit, fmt.Sprintf("promised: %s within %s", measured[lead], delayText(o.Limit))}
		p.yLimit = 2 * o.Limit
	}
	for _, t := range trials {
		if t.Sessions == r.Capacity.Sessions {
			p.mark = &mark{float64(t.Sessions), t.delay(lead).quantile(q), fmt.Sprintf("%d sessions", t.Sessions)}
		}
	}
	return p
}

func (r pageText) capacityCaption(hatched bool) string {
	text := fmt.Sprintf("Delay (%s) from the end of speech (finals), of a word (partials) or of sending (acks).",
		r.quantileShown())
	if hatched {
		text += " Hatched: beyond what was promised."
	}
	return text
}

// leadingFirst lists the measures of the plots.
func leadingFirst(lead string) []string {
	all := []string{"final", "partial", "ack"}
	at := slices.Index(all, lead)
	return append([]string{lead}, slices.Delete(all, at, at+1)...)
}

// ticksOf are the numbers of sessions of the trials, without those too near to the one before.
func ticksOf(trials []Trial, limit float64) []tick {
	var all []tick
	last := math.Inf(1)
	for i := len(trials) - 1; i >= 0; i-- {
		n := float64(trials[i].Sessions)
		if last-n > limit/18 {
			all = append(all, tick{n, grouped(n)})
			last = n
		}
	}
	slices.Reverse(all)
	return all
}

// percentilePlot shows the distribution of delays: the axis is logarithmic in the share that took
// longer.
func (r pageText) percentilePlot(delays [measures]*hdrhistogram.Histogram) *plot {
	p := &plot{id: "percentiles", title: "Percentiles of delays", yText: delayText}
	for q := 0.0; q < 4; q++ {
		p.xTicks = append(p.xTicks, tick{q, []string{"all", "90 %", "99 %", "99.9 %"}[int(q)]})
	}
	p.xTicks[0].text = "0 %"
	p.xLimit = 1
	for i, name := range leadingFirst(r.leading()) {
		h := delays[slices.Index(measureNames[:], name)]
		if h.TotalCount() == 0 {
			continue
		}
		l := line{name: name, style: []string{"accent", "second", "third"}[i]}
		end := min(math.Log10(float64(h.TotalCount())), 3.3)
		for x := 0.0; x <= end; x += 0.02 {
			l.points = append(l.points, point{x, float64(h.ValueAtQuantile(100*(1-math.Pow(10, -x)))) / 1e6})
		}
		p.xLimit = max(p.xLimit, end)
		p.lines = append(p.lines, l)
	}
	p.xTicks = slices.DeleteFunc(p.xTicks, func(t tick) bool { return t.at > p.xLimit })
	return p
}

// seriesPlots show the run over time.
func (r pageText) seriesPlots() []figure {
	if len(r.Series) < 2 {
		return nil
	}
	of := func(name, style string, value func(Point) float64) line {
		l := line{name: name, style: style}
		for _, p := range r.Series {
			l.points = append(l.points, point{p.At, value(p)})
		}
		return l
	}
	var delays []line
	for i, name := range leadingFirst(r.leading()) {
		l := of(name, []string{"accent", "second", "third"}[i], func(p Point) float64 {
			return map[string]float64{"final": p.Final, "partial": p.Partial, "ack": p.Ack}[name]
		})
		l.points = slices.DeleteFunc(l.points, func(p point) bool { return p.y == 0 })
		if len(l.points) > 0 {
			delays = append(delays, l)
		}
	}
	used := []line{of("generator", "second", func(p Point) float64 { return p.OwnCPU })}
	if r.Server != nil {
		used = append([]line{of("server", "accent", func(p Point) float64 { return p.ServerCPU })}, used...)
	}
	all := []figure{
		{"Sessions", r.overTime(&plot{id: "sessions", title: "Sessions",
			lines: []line{of("open", "accent", func(p Point) float64 { return float64(p.Sessions) })},
			yText: numberText, yWhole: true}), "Sessions that were open."},
		{"Processors", r.overTime(&plot{id: "processors", title: "Processors", lines: used, yText: numberText}),
			"Processors in use."},
	}
	if len(delays) > 0 {
		all = append([]figure{{"Delays", r.overTime(&plot{id: "delays", title: "Delays", lines: delays,
			yText: delayText}), "p95 of each " + r.interval() + "."}}, all...)
	}
	if r.Server != nil {
		memory := of("server", "accent", func(p Point) float64 { return float64(p.ServerMemory) / (1 << 20) })
		all = append(all, figure{"Memory", r.overTime(&plot{id: "memory", title: "Memory", lines: []line{memory},
			yText: numberText, yWhole: true}), "MiB of the server and the processes it has started."})
	}
	if r.problems() > 0 {
		errors := of("errors", "accent", func(p Point) float64 { return float64(p.Errors) })
		all = append(all, figure{"Errors", r.overTime(&plot{id: "errors", title: "Errors", lines: []line{errors},
			yText: numberText, yWhole: true}), "Things that went wrong in each " + r.interval() + "."})
	}
	return all
}

// interval is the time between two points of the series, of which there are two at least.
func (r pageText) interval() string {
	if step := math.Round(r.Series[1].At - r.Series[0].At); step > 1 {
		return fmt.Sprintf("%.0f seconds", step)
	}
	return "second"
}

// overTime draws a plot over the time of the run.
func (r pageText) overTime(p *plot) template.HTML {
	p.xLimit = r.Series[len(r.Series)-1].At
	p.title += " over time"
	step := 1.0
	for _, s := range []float64{2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200, 14_400, 43_200, 86_400} {
		if p.xLimit/step > 6 {
			step = s
		}
	}
	for at := 0.0; at <= p.xLimit; at += step {
		p.xTicks = append(p.xTicks, tick{at, seconds(at).Round(time.Second).String()})
	}
	return p.small()
}

// sentence fills in a sentence whose form is HTML; what is filled in is escaped.
func sentence(form string, args ...string) template.HTML {
	escaped := make([]any, len(args))
	for i, a := range args {
		escaped[i] = template.HTMLEscapeString(a)
	}
	return template.HTML(fmt.Sprintf(form, escaped...))
}

// grouped returns a number rounded to what matters, its thousands apart.
func grouped(v float64) string {
	if v < 10 && v != math.Trunc(v) {
		return fmt.Sprintf("%.1f", v)
	}
	digits := fmt.Sprintf("%.0f", v)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

package loadtest

import (
	"fmt"
	"io"
	"maps"
	"net/url"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// reportFormat is the version of the JSON of reports; a greater one is not read.
const reportFormat = 1

// Report is the outcome of a run. All times are in seconds.
type Report struct {
	Format   int       `json:"format"`
	Started  time.Time `json:"started"`
	Load     Load      `json:"load"`
	Sessions int       `json:"sessions"`      // clients at a time
	Audio    float64   `json:"audio_seconds"` // sent by all of them, each second once
	Chunk    float64   `json:"chunk_seconds"`
	Wall     float64   `json:"wall_seconds"`
	// Interrupted tells that the run, or the search that it is one of, was ended before its time:
	// its figures are those of a part.
	Interrupted bool `json:"interrupted,omitempty"`
	counts
	Delays Delays `json:"delays"`
	// Words compares finals with the transcripts of the recordings; nil where there are none.
	Words     *WordErrors `json:"words,omitempty"`
	Generator Generator   `json:"generator"`
	Server    *ServerUse  `json:"server,omitempty"`
	// Objectives are those that the run was judged by, see [Report.Judge].
	Objectives []Outcome `json:"objectives,omitempty"`
	// Closes counts the sockets by close code; -1 is a connection lost without a close frame.
	Closes map[int]int `json:"closes"`
	// Errors counts what should not have happened, by kind.
	Errors map[string]int `json:"errors"`
	Series []Point        `json:"series"`
	// Capacity is there if the run was one of those of a search, the one that confirms what was
	// found.
	Capacity *Capacity `json:"capacity,omitempty"`
	// Histograms holds all delays by the name of their measure, in microseconds: the V2 format of
	// HdrHistogram, compressed, in base64. Reports of several generators are merged by them.
	Histograms map[string]string `json:"histograms"`
}

// Load is what was asked of the clients.
type Load struct {
	URL         string  `json:"url"`
	Recordings  int     `json:"recordings"`
	First       string  `json:"first_recording"` // the name of the first one, which tells speech from a tone
	Audio       string  `json:"audio"`           // the format of the recordings, of the first if they differ
	Ramp        float64 `json:"ramp_seconds"`
	WarmUp      float64 `json:"warm_up_seconds"`
	Duration    float64 `json:"duration_seconds"` // 0: each recording once
	Jitter      float64 `json:"jitter_seconds"`
	Silence     float64 `json:"silence"`
	DropEvery   float64 `json:"drop_every_seconds"`
	SlowReaders float64 `json:"slow_readers"`
	Subscribers int     `json:"subscribers"`
	Seed        uint64  `json:"seed"`
	// What the sessions were opened with; zero or empty: the defaults of the server.
	Endpointing  float64  `json:"endpointing_seconds"`
	MaxUtterance float64  `json:"max_utterance_seconds"`
	Languages    []string `json:"languages,omitempty"`
	NoPartials   bool     `json:"no_partials,omitempty"` // they were not asked for
}

// Delays are all that was measured. They count from when the audio in question was due in real
// time.
type Delays struct {
	Ack     Delay `json:"ack"`     // until its acknowledgment
	Partial Delay `json:"partial"` // from the partial's last word until the partial
	// FirstPartial is from the utterance's first word until its first partial. An utterance that
	// continues where one was cut is left out: its first words were in partials of that one.
	FirstPartial Delay `json:"first_partial"`
	Final        Delay `json:"final"` // from the end of speech until the final
	// Cut is from the last word of an utterance that was cut at its maximum duration until its
	// final. The speaker continued, so there is no end of speech to count from; a server may cut at
	// a pause some seconds before that duration.
	Cut Delay `json:"final_of_cut"`
	// Decision is from the arrival of speech_end until that of the final.
	Decision   Delay `json:"final_after_speech_end"`
	Subscriber Delay `json:"subscriber"` // from the end of speech until the final reaches a subscriber
	Create     Delay `json:"create"`     // from the request for a session until its answer
	Connect    Delay `json:"connect"`    // from the request for a socket until it is open
	// Lag is by how much the client sent later than it should have, through no fault of the
	// gateway.
	Lag   Delay `json:"sender_lag"`
	First Delay `json:"final_first_third"`
	Last  Delay `json:"final_last_third"`
}

// Delay sums up one measure, in seconds, with three significant digits.
type Delay struct {
	Count int64   `json:"count"`
	P50   float64 `json:"p50"`
	P90   float64 `json:"p90"`
	P95   float64 `json:"p95"`
	P99   float64 `json:"p99"`
	P999  float64 `json:"p999"`
	Max   float64 `json:"max"`
}

// WordErrors tells how well the finals fit the transcripts of recordings that were played from
// beginning to end.
type WordErrors struct {
	wordErrors
	Rate float64 `json:"rate"` // word error rate, 0 to 1 and beyond
}

func newDelay(h *hdrhistogram.Histogram) Delay {
	s := func(us int64) float64 { return float64(us) / 1e6 }
	return Delay{
		Count: h.TotalCount(),
		P50:   s(h.ValueAtQuantile(50)), P90: s(h.ValueAtQuantile(90)), P95: s(h.ValueAtQuantile(95)),
		P99: s(h.ValueAtQuantile(99)), P999: s(h.ValueAtQuantile(99.9)), Max: s(h.Max()),
	}
}

func newReport(r *run) *Report {
	o, f := r.options, r.figures
	f.mu.Lock()
	defer f.mu.Unlock()
	p := &Report{
		Format: reportFormat, Started: f.start, Load: newLoad(o, r.plans),
		Sessions: o.Sessions, Chunk: o.Chunk.Seconds(), Audio: f.audio.Seconds(), Wall: time.Since(f.start).Seconds(),
		counts: f.count,
		Closes: maps.Clone(f.closes), Errors: maps.Clone(f.errs), Series: f.series.ended(f.problems()),
	}
	if f.words.Recordings > 0 {
		p.Words = &WordErrors{f.words, f.words.rate()}
	}
	p.setDelays(f.delays)
	p.Generator, p.Server = r.meter.used(f, p.Delays.Lag)
	return p
}

func newLoad(o Options, plans []plan) Load {
	return Load{
		URL: withoutKey(o.URL), Recordings: len(o.Clips), First: o.Clips[0].Name,
		Audio: plans[0].tracks[0].format.String(),
		Ramp:  plans[len(plans)-1].begin.Seconds(), WarmUp: o.WarmUp.Seconds(), Duration: o.Duration.Seconds(),
		Jitter: o.Jitter.Seconds(), Silence: o.Silence, DropEvery: o.DropEvery.Seconds(), SlowReaders: o.SlowReaders,
		Subscribers: o.Subscribers, Seed: o.Seed, Endpointing: o.Endpointing, MaxUtterance: o.MaxUtterance,
		Languages:  o.Languages,
		NoPartials: !o.Partials,
	}
}

// withoutKey returns an address without the name and the password in it, which may be a key:
// reports are passed on.
func withoutKey(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.User == nil {
		return address // it was parsed before
	}
	u.User = nil
	return u.String()
}

// setDelays fills in what follows from the histograms.
func (r *Report) setDelays(delays [measures]*hdrhistogram.Histogram) {
	r.Histograms = map[string]string{}
	for m, h := range delays {
		*r.Delays.of(measure(m)) = newDelay(h)
		if h.TotalCount() > 0 {
			r.Histograms[measure(m).String()] = encodeHistogram(h)
		}
	}
}

// of returns the place of a measure.
func (d *Delays) of(m measure) *Delay {
	return [measures]*Delay{
		ackDelay: &d.Ack, partialDelay: &d.Partial, firstPartial: &d.FirstPartial, finalDelay: &d.Final,
		cutDelay: &d.Cut, decisionDelay: &d.Decision,
		subscriberDelay: &d.Subscriber, createDelay: &d.Create, connectDelay: &d.Connect, senderLag: &d.Lag,
		firstThird: &d.First, lastThird: &d.Last,
	}[m]
}

// OK reports whether every session ended well and no final went missing or changed.
func (r *Report) OK() bool {
	return r.Failed == 0 && r.Missing == 0 && r.Unrecorded == 0 && r.Differing == 0 && r.Unfollowed == 0 &&
		len(r.Errors) == 0
}

// NoneBegan reports whether there was no session at all, so that nothing was measured: Errors has
// the reasons.
func (r *Report) NoneBegan() bool {
	return r.Audio == 0 && r.Delays.Create.Count == 0 && r.Done == 0 && len(r.Errors) > 0
}

// measured reports whether there are any delays of the server.
func (r *Report) measured() bool {
	d := &r.Delays
	for m := range measures {
		if m != senderLag && d.of(m).Count > 0 {
			return true
		}
	}
	return false
}

// WriteText writes the report for people.
func (r *Report) WriteText(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "delay in seconds\tcount\tp50\tp95\tp99\tmax\t\n")
	for _, row := range r.Delays.rows() {
		d := row.delay
		if d.Count == 0 {
			continue
		}
		fmt.Fprintf(t, "%s\t%d\t%.3f\t%.3f\t%.3f\t%.3f\t\n", row.name, d.Count, d.P50, d.P95, d.P99, d.Max)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if !r.measured() {
		fmt.Fprintln(w, "nothing was measured")
	}
	if err := r.writeCounts(w); err != nil {
		return err
	}
	return r.writeVerdict(w)
}

// delayRow is one measure as people read it.
type delayRow struct {
	name  string
	delay Delay
}

func (d *Delays) rows() []delayRow {
	return []delayRow{
		{"audio → ack", d.Ack},
		{"last word → partial", d.Partial},
		{"first word → first partial", d.FirstPartial},
		{"end of speech → final", d.Final},
		{"… in the first third of the run", d.First},
		{"… in the last third", d.Last},
		{"speech_end → final", d.Decision},
		{"last word → final of a cut utterance", d.Cut},
		{"end of speech → subscriber", d.Subscriber},
		{"request → session", d.Create},
		{"request → open socket", d.Connect},
		{"due → sent (the generator's own lag)", d.Lag},
	}
}

func (r *Report) writeCounts(w io.Writer) error {
	_, err := fmt.Fprintf(w, "\n%s, %.0f s of audio in %.0f s, %.0f ms a chunk; sessions: %d done, %d failed\n"+
		"finals: %d, missing %d, not in the record %d, repeated %d, repeated but changed %d; partials: %d, "+
		"withdrawn %d\n",
		counted(r.Sessions, "client"), r.Audio, r.Wall, r.Chunk*1000, r.Done, r.Failed,
		r.Finals, r.Missing, r.Unrecorded, r.Repeats, r.Differing, r.Partials, r.Withdrawn)
	if err != nil {
		return err
	}
	if r.Followed+r.Unfollowed > 0 {
		fmt.Fprintf(w, "subscribers: finals received %d, missed %d\n", r.Followed, r.Unfollowed)
	}
	fmt.Fprintf(w, "reconnects: %d; gaps in acks: %d", r.Reconnects, r.Gaps)
	if len(r.Closes) > 0 {
		fmt.Fprint(w, "; sockets closed with")
	}
	for _, code := range slices.Sorted(maps.Keys(r.Closes)) {
		name := fmt.Sprint(code)
		if code == -1 {
			name = "no code"
		}
		fmt.Fprintf(w, " %s: %d", name, r.Closes[code])
	}
	fmt.Fprintln(w)
	for _, kind := range slices.Sorted(maps.Keys(r.Errors)) {
		if _, err = fmt.Fprintf(w, "error, %s: %s\n", counted(r.Errors[kind], "time"), kind); err != nil {
			return err
		}
	}
	return nil
}

func (r *Report) writeVerdict(w io.Writer) error {
	if r.Interrupted {
		fmt.Fprintf(w, "interrupted after %.0f s: these are the figures of a part of the run.\n", r.Wall)
	}
	if r.Words != nil {
		fmt.Fprintf(w, "word error rate: %.1f %% of %d words in %d recordings\n", 100*r.Words.Rate, r.Words.Words,
			r.Words.Recordings)
	}
	if r.Server != nil {
		fmt.Fprintf(w, "server: %.2f processors, at most %d MiB\n", r.Server.Processor, mebibytes(r.Server.Memory))
	}
	fmt.Fprintf(w, "generator: %.0f %% of %d processors, lag p99 %.1f ms\n", 100*r.Generator.Used,
		r.Generator.Processors, 1e3*r.Generator.Lag)
	for _, o := range r.Objectives {
		verdict := "kept"
		if !o.Kept {
			verdict = "MISSED"
		}
		fmt.Fprintf(w, "objective %s: %s, %s\n", o.Objective, verdict, o.Text())
	}
	if r.Generator.Saturated != "" {
		fmt.Fprintf(w, "generator saturated: %s. These figures tell nothing about the server.\n", r.Generator.Saturated)
	}
	return nil
}

package loadtest

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Report is the outcome of a run. All times are in seconds.
type Report struct {
	Sessions int     `json:"sessions"` // clients at once
	Audio    float64 `json:"audio_seconds"`
	Chunk    float64 `json:"chunk_seconds"`
	Wall     float64 `json:"wall_seconds"`
	counts
	Delays Delays `json:"delays"`
	// Closes counts the sockets by close code; -1 is a connection lost without a close frame.
	Closes map[int]int `json:"closes"`
	// Errors counts what should not have happened, by kind.
	Errors map[string]int `json:"errors"`
}

// Delays are all that was measured. They count from when the audio in question was due in real time.
type Delays struct {
	Ack     Delay `json:"ack"`     // until its acknowledgment
	Partial Delay `json:"partial"` // from the partial's last word until the partial
	Final   Delay `json:"final"`   // from the utterance's end until the final
	// Decision is from the arrival of speech_end until that of the final.
	Decision Delay `json:"final_after_speech_end"`
	Lag      Delay `json:"sender_lag"` // until the client had written it: its own lateness, and the gateway's backpressure
	First    Delay `json:"final_first_third"`
	Last     Delay `json:"final_last_third"`
}

// Delay sums up one measure, in seconds, with three significant digits.
type Delay struct {
	Count int64   `json:"count"`
	P50   float64 `json:"p50"`
	P95   float64 `json:"p95"`
	P99   float64 `json:"p99"`
	Max   float64 `json:"max"`
}

func newDelay(h *hdrhistogram.Histogram) Delay {
	s := func(us int64) float64 { return float64(us) / 1e6 }
	return Delay{
		Count: h.TotalCount(),
		P50:   s(h.ValueAtQuantile(50)), P95: s(h.ValueAtQuantile(95)), P99: s(h.ValueAtQuantile(99)), Max: s(h.Max()),
	}
}

func newReport(o Options, f *figures, wall time.Duration) *Report {
	f.mu.Lock()
	defer f.mu.Unlock()
	r := &Report{
		Sessions: o.Sessions, Chunk: o.Chunk.Seconds(), Wall: wall.Seconds(), counts: f.count,
		Closes: maps.Clone(f.closes), Errors: maps.Clone(f.errs),
		Delays: Delays{
			Ack: newDelay(f.delays[ackDelay]), Partial: newDelay(f.delays[partialDelay]), Final: newDelay(f.delays[finalDelay]),
			Decision: newDelay(f.delays[decisionDelay]), Lag: newDelay(f.delays[senderLag]),
			First: newDelay(f.delays[firstThird]), Last: newDelay(f.delays[lastThird]),
		},
	}
	for i := range o.Sessions {
		for _, t := range o.tracks(i) {
			r.Audio += t.duration(t.length).Seconds()
		}
	}
	return r
}

// OK reports whether every session ended well and no final went missing or changed.
func (r *Report) OK() bool {
	return r.Failed == 0 && r.Missing == 0 && r.Unrecorded == 0 && r.Differing == 0 && len(r.Errors) == 0
}

// WriteText writes the report for people.
func (r *Report) WriteText(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "delay in seconds\tcount\tp50\tp95\tp99\tmax\t\n")
	for _, row := range []struct {
		name  string
		delay Delay
	}{
		{"audio → ack", r.Delays.Ack},
		{"last word → partial", r.Delays.Partial},
		{"end of utterance → final", r.Delays.Final},
		{"… in the first third of the run", r.Delays.First},
		{"… in the last third", r.Delays.Last},
		{"speech_end → final", r.Delays.Decision},
		{"audio → written to the socket", r.Delays.Lag},
	} {
		d := row.delay
		if d.Count == 0 {
			continue
		}
		fmt.Fprintf(t, "%s\t%d\t%.3f\t%.3f\t%.3f\t%.3f\t\n", row.name, d.Count, d.P50, d.P95, d.P99, d.Max)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	return r.writeCounts(w)
}

func (r *Report) writeCounts(w io.Writer) error {
	_, err := fmt.Fprintf(w, "\n%d clients, %.0f s of audio in %.0f s, %.0f ms a chunk; sessions: %d done, %d failed\n"+
		"finals: %d, missing %d, not in the record %d, repeated %d, repeated but changed %d; partials: %d, withdrawn %d\n",
		r.Sessions, r.Audio, r.Wall, r.Chunk*1000, r.Done, r.Failed,
		r.Finals, r.Missing, r.Unrecorded, r.Repeats, r.Differing, r.Partials, r.Withdrawn)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "reconnects: %d; sockets closed with", r.Reconnects)
	for _, code := range slices.Sorted(maps.Keys(r.Closes)) {
		name := fmt.Sprint(code)
		if code == -1 {
			name = "no code"
		}
		fmt.Fprintf(w, " %s: %d", name, r.Closes[code])
	}
	fmt.Fprintln(w)
	for _, kind := range slices.Sorted(maps.Keys(r.Errors)) {
		if _, err = fmt.Fprintf(w, "error, %d times: %s\n", r.Errors[kind], kind); err != nil {
			return err
		}
	}
	return nil
}

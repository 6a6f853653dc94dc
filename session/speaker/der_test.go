package speaker

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"steno/vad"
)

// conversations are those that the constants of this package were chosen with, and others: talks made of what readers
// read, no speaker in both, and recorded meetings.
func conversations(t testing.TB) []conversation {
	of := readers(t)
	seen, unseen := []string{"1688", "2033", "2609", "spk1", "en"}, []string{"3080", "367", "mfa", "spk2", "de"}
	var out []conversation
	for k := range 10 {
		n := 1 + (k+1)%4
		add := func(kind string, who []string, tuned bool) {
			who = append(slices.Clone(who[k%5:]), who[:k%5]...)[:n]
			c := talk(fmt.Sprintf("%s %d of %d", kind, k, n), who, of, 30+n*15+k*5, uint64(k))
			c.tuned = tuned
			out = append(out, c)
		}
		add("tuned", seen, true)
		add("other", unseen, false)
	}
	long := talk("tuned, long", []string{"1688", "2033", "2609", "3080", "367"}, of, 400, 99)
	long.tuned = true
	out = append(out, long, talk("other, long", []string{"3080", "367", "es"}, of, 300, 98))
	return append(out, meetings(t)...)
}

// heard finds speech as a session does: by the project's detector.
func heard(samples []int16) []Span {
	d := vad.NewDetector()
	e := vad.NewEndpointer(vad.Config{Threshold: vad.DefaultThreshold, Endpointing: rate / 10, MaxDuration: 60 * rate})
	var out []Span
	open := int64(-1)
	take := func(s vad.Step) {
		if s.Started {
			open = s.Onset
		}
		if s.Ended {
			out = append(out, Span{int(open), int(s.End)})
			open = s.Upto
		}
	}
	for at := 0; at+vad.FrameSamples <= len(samples); at += vad.FrameSamples {
		frame := samples[at : at+vad.FrameSamples]
		take(e.Frame(frame, d.Frame(frame)))
	}
	take(e.Finish())
	return out
}

// tracked gives each stretch of speech the speaker that a Tracker tells.
func tracked(c conversation) []Turn {
	k := NewTracker(0)
	var out []Turn
	for _, s := range normal(c.speech(), len(c.samples)) {
		out = append(out, Turn{Start: s.Start, End: s.End, Speaker: k.Add(c.samples[s.Start:s.End])})
	}
	return out
}

func oneSpeaker(spans []Span) []Turn {
	out := make([]Turn, len(spans))
	for i, s := range spans {
		out[i] = Turn{Start: s.Start, End: s.End}
	}
	return out
}

// BenchmarkDER measures the diarization error rate, see score: of one speaker for all, of Diarize with the true speech
// and the true or no number of speakers, of Diarize with detected speech, and of a Tracker with true stretches.
func BenchmarkDER(b *testing.B) {
	all := conversations(b)
	var table strings.Builder
	for b.Loop() {
		table.Reset()
		fmt.Fprintf(&table, "\n%-14s %8s %15s %15s %15s %15s %9s\n", "", "one for", "number known", "not known",
			"no collar", "detected", "live")
		fmt.Fprintf(&table, "%-14s %8s\n", "", "all")
		for _, tuned := range []bool{true, false} {
			var sums [6]errorTimes
			for _, c := range all {
				if c.tuned == tuned {
					row(b, &table, c, &sums)
				}
			}
			fmt.Fprintf(&table, "%-14s", map[bool]string{true: "ALL TUNED", false: "ALL OTHERS"}[tuned])
			for _, s := range sums {
				fmt.Fprintf(&table, " %8.1f %%     ", s.rate())
			}
			fmt.Fprintln(&table)
		}
	}
	fmt.Print(table.String())
}

func row(b *testing.B, table *strings.Builder, c conversation, sums *[6]errorTimes) {
	truth := c.speech()
	diarize := func(speech []Span, want Wanted) []Turn {
		turns, err := Diarize(b.Context(), c.samples, speech, want)
		if err != nil {
			b.Fatal(err)
		}
		return turns
	}
	known, free, found := diarize(truth, Wanted{Exactly: speakers(c.truth)}), diarize(truth, Wanted{}), diarize(heard(c.samples), Wanted{})
	live := tracked(c)
	fmt.Fprintf(table, "%-14s", c.name)
	for i, f := range []struct {
		turns  []Turn
		collar int
	}{{oneSpeaker(normal(truth, len(c.samples))), rate / 4}, {known, rate / 4}, {free, rate / 4}, {free, 0}, {found, rate / 4}, {live, rate / 4}} {
		e := score(c.truth, f.turns, f.collar)
		sums[i].add(e)
		fmt.Fprintf(table, " %8.1f (%d/%d)", e.rate(), speakers(f.turns), speakers(c.truth))
	}
	fmt.Fprintln(table)
}

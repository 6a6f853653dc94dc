package speaker

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Sets of conversations.
const (
	tunedWith = "talks, tuned with"
	others    = "talks, others"
	met       = "meetings"
)

// conversations are those that the constants of this package were chosen with, and others: talks
// made of what readers read, no speaker in both, and recorded meetings.
func conversations(t testing.TB) []conversation {
	of := readers(t)
	seen, unseen := []string{"1688", "2033", "2609", "spk1", "en"}, []string{"3080", "367", "mfa", "spk2", "de"}
	var out []conversation
	for k := range 10 {
		n := 1 + (k+1)%4
		add := func(kind string, who []string) {
			who = append(slices.Clone(who[k%5:]), who[:k%5]...)[:n]
			c := talk(fmt.Sprintf("%d of %d", k, n), who, of, 30+n*15+k*5, uint64(k))
			c.set = kind
			out = append(out, c)
		}
		add(tunedWith, seen)
		add(others, unseen)
	}
	long := talk("5, long", []string{"1688", "2033", "2609", "3080", "367"}, of, 400, 99)
	long.set = tunedWith
	other := talk("3, long", []string{"3080", "367", "es"}, of, 300, 98)
	other.set = others
	return append(append(out, long, other), meetings(t)...)
}

// tracked returns the turns that a Tracker finds, one for each stretch of speech.
func tracked(c conversation) []Turn {
	k := NewTracker(0)
	var out []Turn
	for _, s := range mergeSpans(c.speech(), len(c.samples)) {
		out = append(out, Turn{Start: s.Start, End: s.End, Speaker: k.Add(c.samples[s.Start:s.End])})
	}
	return out
}

// oneSpeaker is the guess that is beaten by any that is worth something.
func oneSpeaker(spans []Span) []Turn {
	out := make([]Turn, len(spans))
	for i, s := range spans {
		out[i] = Turn{Start: s.Start, End: s.End}
	}
	return out
}

// sameSpeech attributes all speech of the turns to one speaker.
func sameSpeech(turns []Turn) []Turn {
	spans := make([]Span, len(turns))
	for i, t := range turns {
		spans[i] = Span{t.Start, t.End}
	}
	return bridge(oneSpeaker(spans))
}

// lone is the truth with one speaker at a time: the best that diarization without overlaps can
// reach.
func lone(truth []Turn) []Turn {
	var out []Turn
	cuts := borders(truth, nil, 0)
	for i := 1; i < len(cuts); i++ {
		if who := active(truth, cuts[i-1]); len(who) > 0 {
			out = append(out, Turn{Start: cuts[i-1], End: cuts[i], Speaker: who[0]})
		}
	}
	return out
}

// systems are those of BenchmarkDiarization in the order of its columns.
var systems = [...]string{"overlap", "one", "ours", "known", "live", "one", "ours"}

const firstDetected = 5 // of systems that detect speech; the others get the true speech

// diarized is what each of the systems makes of a conversation.
func (c conversation) diarized(t testing.TB) (out [len(systems)][]Turn) {
	truth := c.speech()
	found := mustDiarize(t, c.samples, nil, Count{})
	return [...][]Turn{
		lone(c.truth), oneSpeaker(mergeSpans(truth, len(c.samples))), mustDiarize(t, c.samples, truth, Count{}),
		mustDiarize(t, c.samples, truth, Count{Exactly: speakers(c.truth)}), tracked(c), sameSpeech(found), found,
	}
}

// BenchmarkDiarization measures the diarization error rate, see score, with a collar of a quarter
// of a second. On the left with the true speech given: the share that is lost because people talk
// simultaneously, one speaker for all, ours, ours with the number of speakers known, and a Tracker;
// on the right with the speech found as for a job: one speaker for all, and ours, of which the
// missed speech, the false alarms, and what is another speaker's.
func BenchmarkDiarization(b *testing.B) {
	all := conversations(b)
	for b.Loop() {
		var table strings.Builder
		fmt.Fprintf(&table, "\n%-20s %-38s %s\n%-20s", "", "true speech, error rate in %", "found speech", "")
		for _, w := range systems {
			fmt.Fprintf(&table, "%8s", w)
		}
		fmt.Fprintf(&table, "%8s%8s%8s\n", "missed", "alarm", "other")
		for _, set := range []string{tunedWith, others, met} {
			var sums [len(systems)]errorTimes
			for _, c := range all {
				if c.set == set {
					row(b, &table, c, &sums)
				}
			}
			found := rates(&table, strings.ToUpper(set), sums)
			b.ReportMetric(sums[2].rate(), metric(set, "told_%"))
			b.ReportMetric(found.rate(), metric(set, "found_%"))
			b.ReportMetric(sums[firstDetected].rate(), metric(set, "one_%"))
		}
		fmt.Print(table.String())
	}
}

func metric(set, name string) string {
	return strings.NewReplacer(" ", "_", ",", "").Replace(set) + "_" + name
}

func row(b *testing.B, table *strings.Builder, c conversation, sums *[len(systems)]errorTimes) {
	var own [len(systems)]errorTimes
	for i, turns := range c.diarized(b) {
		own[i] = score(c.truth, turns, rate/4)
		sums[i].add(own[i])
	}
	rates(table, c.name, own)
}

// rates writes those of each way, and of the last one what it is made of.
func rates(table *strings.Builder, name string, of [len(systems)]errorTimes) errorTimes {
	fmt.Fprintf(table, "%-20s", name)
	for _, e := range of {
		fmt.Fprintf(table, "%8.1f", e.rate())
	}
	last := of[len(of)-1]
	for _, part := range []float64{last.missed, last.alarm, last.confused} {
		fmt.Fprintf(table, "%8.1f", 100*part/last.speech)
	}
	fmt.Fprintln(table)
	return last
}

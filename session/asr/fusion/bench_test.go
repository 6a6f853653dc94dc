package fusion

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"steno/session/asr"
	"steno/session/asr/asrtest/corpus"
	"steno/session/asr/sphinx"
)

// BenchmarkROVER prints the word error rates of PocketSphinx in three configurations and of their
// fusions on read English, in all, on the half the parameters were not chosen on, and by source,
// and how a fusion compares with the better or best of its members.
func BenchmarkROVER(b *testing.B) {
	clips := corpus.Read(b, corpus.ReadEnglish)
	alone := map[string]heard{}
	for name, c := range map[string]sphinx.Config{
		"plain":  {Name: "plain"},
		"wide":   {Name: "wide", Accurate: true},
		"warped": {Name: "warped", Model: warped(b, "1.08")},
	} {
		r := pocketsphinx(b, c)
		alone[name] = hear(b, r, clips)
		r.Close()
	}
	fmt.Printf("\n%-22s %s\n", "read English, WER %", "all, other half; difference to the best member; by source")
	for _, name := range slices.Sorted(maps.Keys(alone)) {
		scores := alone[name].scores(clips)
		fmt.Printf("%-22s %s %s\n", name, halves(scores), sources(clips, scores))
	}
	for _, names := range [][]string{{"plain", "wide"}, {"plain", "warped"}, {"wide", "warped"},
		{"plain", "wide", "warped"}} {
		var members []heard
		var best []corpus.Score
		for _, n := range names {
			members = append(members, alone[n])
			if s := alone[n].scores(clips); best == nil || pooled(s).Errors < pooled(best).Errors {
				best = s
			}
		}
		scores := together(members...).scores(clips)
		points, low, high := difference(scores, best)
		fmt.Printf("%-22s %s %+.1f [%+.1f, %+.1f] %s\n",
			fmt.Sprint(names), halves(scores), points, low, high, sources(clips, scores))
		b.ReportMetric(points, fmt.Sprintf("points/%d_%s_%s", len(names), names[0], names[1]))
	}
}

// halves is the word error rate of all recordings, and of every second one: those the parameters
// were not chosen on.
func halves(scores []corpus.Score) string {
	var half []corpus.Score
	for i := 1; i < len(scores); i += 2 {
		half = append(half, scores[i])
	}
	return fmt.Sprintf("%5.1f %5.1f", 100*pooled(scores).WER(), 100*pooled(half).WER())
}

func sources(clips []corpus.Clip, scores []corpus.Score) string {
	by := map[string]corpus.Score{}
	for i, c := range clips {
		by[c.Source()] = by[c.Source()].Add(scores[i])
	}
	line := ""
	for _, s := range slices.Sorted(maps.Keys(by)) {
		line += fmt.Sprintf("  %s %.1f", s, 100*by[s].WER())
	}
	return line
}

// BenchmarkVote fuses three members' words of the longest utterance, 200 each, a tenth of them
// different.
func BenchmarkVote(b *testing.B) {
	var all []*hypothesis
	for m := range 3 {
		one := &hypothesis{timed: true, weight: 1}
		for i := range 200 {
			w := asr.Word{Text: fmt.Sprint("w", i), Start: i * 4800, End: (i + 1) * 4800, Confidence: 0.5 +
				float64(m)/10}
			if (i+m)%10 == 0 {
				w.Text += "x"
			}
			one.words = append(one.words, w)
		}
		all = append(all, one)
	}
	for b.Loop() {
		measured.fuse(all)
	}
}

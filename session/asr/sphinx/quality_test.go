//go:build linux && amd64

package sphinx

import (
	"os"
	"strings"
	"sync"
	"testing"

	"steno/session/asr"
	"steno/session/asr/asrtest/corpus"
)

// hear recognizes the utterances of a clip and compares every recognized word with the transcript.
func hear(t testing.TB, r *Recognizer, c corpus.Clip) (corpus.Score, []corpus.Judged) {
	cut := utterances(c.Samples, 3*asr.Rate/10, 5*asr.Rate)
	finals := make([]asr.Result, len(cut))
	var wait sync.WaitGroup
	for i, samples := range cut {
		wait.Go(func() { finals[i], _ = recognize(t, r, asr.Params{}, samples) })
	}
	wait.Wait()
	return judged(c.Words, finals...)
}

// judged compares the words of finals with those that were spoken.
func judged(spoken []string, finals ...asr.Result) (corpus.Score, []corpus.Judged) {
	var heard []string
	var words []corpus.Judged
	for _, final := range finals {
		for _, w := range final.Words {
			for _, n := range corpus.Words(w.Text) {
				heard = append(heard, n)
				words = append(words, corpus.Judged{Confidence: w.Confidence})
			}
		}
	}
	score, right := corpus.Align(spoken, heard)
	for i := range words {
		words[i].Right = right[i]
	}
	return score, words
}

// The default models recognize most words of a sentence, and their confidences separate right words
// from wrong ones.
func TestFinalOfASentence(t *testing.T) {
	r := start(t, Config{Slots: 1, Decoders: 1})
	samples := librivox(t, "0920")
	final, _ := recognize(t, r, asr.Params{Language: "en", Partials: true}, samples)
	if got := text(final); !strings.Contains(got, "amiable woman he might have been made still more respectable") {
		t.Errorf("final %q", got)
	}
	if !final.Timed || final.Language != "en" || final.Engine != "sphinx" {
		t.Errorf("final %+v", final)
	}
	sane(t, final, len(samples))
	spoken := "had he married a more amiable woman he might have been made still more respectable than he was"
	score, words := judged(strings.Fields(spoken), final)
	if wrong, ranks := score.WER(), corpus.AUC(words); wrong > 0.4 || ranks < 0.7 {
		t.Errorf("WER %.2f, AUC of confidences %.3f over %+v", wrong, ranks, words)
	}
}

// BenchmarkQuality reports word errors, and how well confidences separate right words from wrong
// ones, on every twenty-sixth recording. STENO_TEST_ALL=1 takes all and prints each source,
// STENO_TEST_ACCURATE=1 searches with wider beams.
func BenchmarkQuality(b *testing.B) {
	nth := 26
	if os.Getenv("STENO_TEST_ALL") != "" {
		nth = 1
	}
	n := 0
	clips := corpus.Read(b, func(e corpus.Entry) bool {
		if e.Language != "en" || e.Kind != "speech" || e.Rate != asr.Rate {
			return false
		}
		n++
		return n%nth == 19%nth // of moderate length
	})
	r := start(b, Config{Accurate: os.Getenv("STENO_TEST_ACCURATE") != ""})
	for b.Loop() {
		var all []corpus.Judged
		var total corpus.Score
		sources := map[string]corpus.Score{}
		for _, c := range clips {
			s, words := hear(b, r, c)
			all = append(all, words...)
			total = total.Add(s)
			sources[c.Source()] = sources[c.Source()].Add(s)
		}
		for name, s := range sources {
			b.Logf("%-24s %5d words, WER %.1f %%", name, s.Words, 100*s.WER())
		}
		reliability(b, all)
		b.ReportMetric(100*total.WER(), "WER-%")
		b.ReportMetric(corpus.AUC(all), "AUC")
		b.ReportMetric(float64(total.Words), "words")
	}
}

// reliability prints how often words of a stated confidence were right.
func reliability(b *testing.B, all []corpus.Judged) {
	edges := []float64{.17, .3, .45, .55, .65, .75, .85, 1}
	for i := 1; i < len(edges); i++ {
		n, right, sum := 0, 0, 0.0
		for _, w := range all {
			if w.Confidence >= edges[i-1] && w.Confidence < edges[i] {
				n++
				sum += w.Confidence
				if w.Right {
					right++
				}
			}
		}
		if n > 0 {
			b.Logf("stated %.2f: %.2f right of %d", sum/float64(n), float64(right)/float64(n), n)
		}
	}
}

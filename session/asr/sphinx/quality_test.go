//go:build linux && amd64

package sphinx

import (
	"os"
	"sync"
	"testing"

	"steno/session/asr"
	"steno/session/asr/asrtest/corpus"
)

// hear recognizes the utterances of a clip and compares every recognized word with the transcript.
func hear(t testing.TB, r *Recognizer, c corpus.Clip) (corpus.Score, []corpus.Judged) {
	var heard []string
	var words []corpus.Judged
	cut := utterances(c.Samples, 3*asr.Rate/10, 5*asr.Rate)
	finals := make([]asr.Result, len(cut))
	var wait sync.WaitGroup
	for i, samples := range cut {
		wait.Go(func() { finals[i], _ = recognize(t, r, asr.Params{}, samples) })
	}
	wait.Wait()
	for _, final := range finals {
		for _, w := range final.Words {
			for _, n := range corpus.Words(w.Text) {
				heard = append(heard, n)
				words = append(words, corpus.Judged{Confidence: w.Confidence})
			}
		}
	}
	score, right := corpus.Align(c.Words, heard)
	for i := range words {
		words[i].Right = right[i]
	}
	return score, words
}

// Confidences must separate right words from wrong ones, and enough words must be right, on every
// twenty-sixth recording. STENO_TEST_ALL=1 takes all and prints each source.
func TestQualityOnRecordings(t *testing.T) {
	nth := 26
	if os.Getenv("STENO_TEST_ALL") != "" {
		nth = 1
	}
	n := 0
	clips := corpus.Read(t, func(e corpus.Entry) bool {
		if e.Language != "en" || e.Kind != "speech" || e.Rate != asr.Rate {
			return false
		}
		n++
		return n%nth == 19%nth // of moderate length
	})
	r := shared(t)
	if os.Getenv("STENO_TEST_ACCURATE") != "" {
		r = start(t, Config{Accurate: true})
	}
	var all []corpus.Judged
	var total corpus.Score
	sources := map[string]corpus.Score{}
	for _, c := range clips {
		s, words := hear(t, r, c)
		all = append(all, words...)
		total = total.Add(s)
		sources[c.Source()] = sources[c.Source()].Add(s)
	}
	for name, s := range sources {
		t.Logf("%-24s %5d words, WER %.1f %%", name, s.Words, 100*s.WER())
	}
	t.Logf("%d clips, %d words, WER %.1f %%, AUC %.3f", len(clips), total.Words, 100*total.WER(), corpus.AUC(all))
	if total.WER() > 0.6 {
		t.Errorf("WER %.2f", total.WER())
	}
	if a := corpus.AUC(all); a < 0.7 {
		t.Errorf("AUC of confidences %.3f over %d words, want 0.7", a, len(all))
	}
	reliability(t, all)
}

// reliability prints how often words of a stated confidence were right.
func reliability(t *testing.T, all []corpus.Judged) {
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
			t.Logf("stated %.2f: %.2f right of %d", sum/float64(n), float64(right)/float64(n), n)
		}
	}
}

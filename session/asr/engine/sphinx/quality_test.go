//go:build linux && amd64

package sphinx

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"steno/session/asr"
)

// hear recognizes the utterances of a clip and judges every word heard against the transcript.
func hear(t testing.TB, r *Recognizer, c clip) (score, []judged) {
	var heard []string
	var words []judged
	cut := utterances(c.samples, 3*asr.Rate/10, 5*asr.Rate)
	finals := make([]asr.Result, len(cut))
	var wait sync.WaitGroup
	for i, samples := range cut {
		wait.Go(func() { finals[i], _ = recognize(t, r, asr.Params{}, samples) })
	}
	wait.Wait()
	for _, final := range finals {
		for _, w := range final.Words {
			for _, n := range normal(w.Text) {
				heard = append(heard, n)
				words = append(words, judged{confidence: w.Confidence})
			}
		}
	}
	errors, right := align(c.words, heard)
	for i := range words {
		words[i].right = right[i]
	}
	return score{len(c.words), errors}, words
}

// Confidences must tell right words from wrong ones, and words must be right often enough, on every fifth recording.
// STENO_TEST_ALL=1 takes all and prints each source.
func TestQualityOnRecordings(t *testing.T) {
	nth := 5
	if os.Getenv("STENO_TEST_ALL") != "" {
		nth = 1
	}
	clips := corpus(t, nth)
	r := start(t, Config{Accurate: os.Getenv("STENO_TEST_ACCURATE") != ""})
	var all []judged
	var total score
	sources := map[string]score{}
	for _, c := range clips {
		s, words := hear(t, r, c)
		all = append(all, words...)
		total = score{total.words + s.words, total.errors + s.errors}
		source := sources[filepath.Dir(c.file)]
		sources[filepath.Dir(c.file)] = score{source.words + s.words, source.errors + s.errors}
	}
	for name, s := range sources {
		t.Logf("%-24s %5d words, WER %.1f %%", name, s.words, 100*s.wer())
	}
	stats := r.Stats()
	t.Logf("%d clips, %d words, WER %.1f %%, AUC %.3f, %d utterances of %.1f s, RTF of the final pass %.3f",
		len(clips), total.words, 100*total.wer(), auc(all), stats.Finals.Count,
		stats.Finals.Audio.Seconds()/float64(stats.Finals.Count), stats.Finals.RTF())
	if total.wer() > 0.6 {
		t.Errorf("WER %.2f", total.wer())
	}
	if a := auc(all); a < 0.7 {
		t.Errorf("AUC of confidences %.3f over %d words, want 0.7", a, len(all))
	}
	reliability(t, all)
}

// reliability prints how often words of a stated confidence were right.
func reliability(t *testing.T, all []judged) {
	edges := []float64{.17, .3, .45, .55, .65, .75, .85, 1}
	for i := 1; i < len(edges); i++ {
		n, right, sum := 0, 0, 0.0
		for _, w := range all {
			if w.confidence >= edges[i-1] && w.confidence < edges[i] {
				n++
				sum += w.confidence
				if w.right {
					right++
				}
			}
		}
		if n > 0 {
			t.Logf("stated %.2f: %.2f right of %d", sum/float64(n), float64(right)/float64(n), n)
		}
	}
}

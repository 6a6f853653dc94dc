package moonshine

import (
	"fmt"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"steno/session/asr"
	"steno/session/asr/asrtest/corpus"
	"steno/session/asr/whole"
)

// spent returns the processor time that this process has used.
func spent(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkFinals measures word error rate and processor time for each second of audio by the
// number of decodes, on the recordings of STENO_TEST_AUDIO.
func BenchmarkFinals(b *testing.B) {
	m, err := loadModel(filepath.Join(folder(b), tiny))
	if err != nil {
		b.Fatal(err)
	}
	defer func() {
		if err := m.close(); err != nil {
			b.Error(err)
		}
	}()
	d, err := m.decoder()
	if err != nil {
		b.Fatal(err)
	}
	defer m.release(d)
	clips := corpus.Read(b, func(e corpus.Entry) bool {
		return corpus.ReadEnglish(e) && e.Source() ==
			"librispeech-test-other"
	})
	for _, tries := range []int{1, 2, 4} {
		b.Run(fmt.Sprint(tries), func(b *testing.B) {
			for b.Loop() {
				var score corpus.Score
				seconds, before := 0.0, spent(b)
				for _, c := range clips {
					var all outcome
					for _, piece := range whole.Cut(c.Samples, longest) {
						o, err := decoding{m: m, d: d, tries: tries}.piece(piece)
						if err != nil {
							b.Fatal(err)
						}
						all = all.join(o)
					}
					s, _ := corpus.Align(c.Words, corpus.Words(joined(all.words)))
					score = score.Add(s)
					seconds += float64(len(c.Samples)) / asr.Rate
				}
				b.ReportMetric(100*score.WER(), "WER%")
				b.ReportMetric((spent(b)-before).Seconds()/seconds, "processor/s")
			}
		})
	}
}

func joined(words []asr.Word) (text string) {
	for _, w := range words {
		text += " " + w.Text
	}
	return text
}

// BenchmarkPartials follows recordings with a partial each half second: what part of a partial's
// words, the last apart, is in the final.
func BenchmarkPartials(b *testing.B) {
	r := serve(b, Config{})
	s := r.served[0]
	n := 0
	clips := corpus.Read(b, func(e corpus.Entry) bool {
		n++
		return e.Source() == "librispeech-test-other" && n%4 == 0
	})
	for b.Loop() {
		shown, stood := 0, 0
		before := spent(b)
		seconds := 0.0
		for _, c := range clips {
			samples := c.Samples[:min(len(c.Samples), longest)]
			seconds += float64(len(samples)) / rate
			yield := func() bool { return false }
			final, err := s.Decode(whole.Piece{Samples: samples, To: len(samples), Yield: yield})
			if err != nil {
				b.Fatal(err)
			}
			said := corpus.Words(joined(final.(outcome).words))
			var after any
			for n := rate / 2; n < len(samples); n += rate / 2 {
				var o any
				if o, after, err = s.Partial(whole.Piece{Samples: samples[:n], To: n, Yield: yield}, after); err !=
					nil {
					b.Fatal(err)
				}
				words := corpus.Words(joined(o.(outcome).words))
				if len(words) == 0 {
					continue
				}
				_, right := corpus.Align(said, words[:len(words)-1])
				for _, ok := range right {
					if shown++; ok {
						stood++
					}
				}
			}
		}
		b.ReportMetric(100*float64(stood)/float64(max(shown, 1)), "stood%")
		b.ReportMetric(float64(shown), "shown")
		b.ReportMetric((spent(b)-before).Seconds()/seconds, "processor/s")
	}
}

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

// BenchmarkFinals measures word error rate and processor time for each second of audio by the number of decodes, on the
// recordings of STENO_TEST_AUDIO.
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
	clips := corpus.Read(b, func(e corpus.Entry) bool { return corpus.ReadEnglish(e) && e.Source() == "librispeech-test-other" })
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

//go:build unix

package align

import (
	"slices"
	"syscall"
	"testing"

	"steno/session/asr"
	"steno/session/asr/asrtest/corpus"
)

// The recordings with transcripts, aligned with a text in which one word in ten is wrong, reports
// in seconds how far words begin from where they do in the transcript, the share of words with
// times, and the processor time for a second of audio.
func BenchmarkAlign(b *testing.B) {
	clips := corpus.Read(b, corpus.ReadEnglish)
	p := beside(b, 1)
	p.speaker.guesses.model()
	for b.Loop() {
		var aligned, proportional []float64
		var known, words, audio, work float64
		for _, c := range clips {
			reference, err := p.Align(c.Samples, c.Words)
			if err != nil {
				b.Fatal(err)
			}
			heard := misheard(c.Words)
			before := processorTime(b)
			spans, err := p.Align(c.Samples, heard)
			if err != nil {
				b.Fatal(err)
			}
			work += processorTime(b) - before
			audio += float64(len(c.Samples)) / asr.Rate
			aligned = append(aligned, starts(heard, spans, c.Words, reference)...)
			proportional = append(proportional, starts(heard, Proportional(c.Samples, heard), c.Words, reference)...)
			for _, s := range spans {
				words++
				if s.Known {
					known++
				}
			}
		}
		for name, errors := range map[string][]float64{"aligned": aligned, "proportional": proportional} {
			slices.Sort(errors)
			b.ReportMetric(errors[len(errors)/2]/asr.Rate, name+"-median-s")
			b.ReportMetric(errors[len(errors)*9/10]/asr.Rate, name+"-p90-s")
		}
		b.ReportMetric(known/words, "known/word")
		b.ReportMetric(work/audio, "cpu/audio")
	}
}

// misheard returns words of which every tenth is left out, another one, or followed by one that was
// not spoken.
func misheard(words []string) []string {
	var out []string
	for i, w := range words {
		switch i % 30 {
		case 9:
		case 19:
			out = append(out, words[(i+7)%len(words)])
		case 29:
			out = append(out, w, "the")
		default:
			out = append(out, w)
		}
	}
	return out
}

// processorTime returns the seconds that this process has worked.
func processorTime(b *testing.B) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

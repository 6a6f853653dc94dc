package sherpa

import (
	"errors"
	"slices"
	"syscall"
	"testing"
	"time"

	"steno/session/asr"
	"steno/session/asr/sherpa/internal/fakemodels"
)

// BenchmarkBatching compares decoding with a call for each utterance and in company: how many
// seconds of audio are decoded in a second of a processor's time is how many people it can listen
// to at the same time, at most. The two are run by turns, since a machine with others on it is now
// faster and now slower; the ratio is the median of the turns'. Run it with -benchtime=10x.
func BenchmarkBatching(b *testing.B) {
	for _, model := range []string{zipformer, zipformerMedium} {
		b.Run(model, func(b *testing.B) {
			alone, together := serve(b, Config{Slots: 1, Batch: 1}, model), serve(b, Config{Slots: 1, Batch: 16}, model)
			var each, company, ratio []float64
			for b.Loop() {
				each = append(each, speakers(b, alone))
				company = append(company, speakers(b, together))
				ratio = append(ratio, company[len(company)-1]/each[len(each)-1])
			}
			b.ReportMetric(median(each), "speakers/alone")
			b.ReportMetric(median(company), "speakers/batched")
			b.ReportMetric(median(ratio), "ratio")
			f := together.Figures().Models[0]
			b.ReportMetric(float64(f.Jobs)/float64(f.Calls), "streams/call")
		})
	}
}

// speakers returns how many seconds of audio are decoded in a second of processor time when 16
// people speak for 4 s.
func speakers(b *testing.B, r *Recognizer) float64 {
	const people = 16
	samples, _ := fakemodels.English().Speak("alpha", "bravo", "no", "hotel", "golf", "delta", "echo", "no")
	samples = slices.Concat(samples, samples)[:4*asr.Rate]
	var open []asr.Stream
	began := spent(b)
	for range people {
		u, err := r.Open(b.Context(), asr.Params{Partials: true})
		if err != nil {
			b.Fatal(err)
		}
		if err := errors.Join(u.Write(samples), u.End()); err != nil {
			b.Fatal(err)
		}
		open = append(open, u)
	}
	for _, u := range open {
		finalOf(b, u)
	}
	return people * 4 / (spent(b) - began).Seconds()
}

// spent is the processor time that this process has used.
func spent(b *testing.B) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func median(numbers []float64) float64 {
	slices.Sort(numbers)
	return numbers[len(numbers)/2]
}

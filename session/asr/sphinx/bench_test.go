//go:build linux && amd64

package sphinx

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"syscall"
	"testing"
	"time"

	"steno/session/asr"
)

// cpu is the processor time this process has taken, all threads.
func cpu(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// report prints the processor time per time of audio. Compare the figures of one run: machines
// differ.
func report(b *testing.B, taken time.Duration, samples int) {
	audio := time.Duration(samples) * time.Second / asr.Rate
	b.ReportMetric(float64(taken)/float64(audio)/float64(b.N), "cpu/audio")
	b.ReportMetric(0, "ns/op")
}

func speech(b *testing.B) []int16 {
	var all []int16
	for _, number := range librivoxNumbers {
		all = append(all, librivox(b, number)...)
	}
	return all
}

// benchmarkFinal decodes finals of n samples each.
func benchmarkFinal(b *testing.B, c Config, n int) {
	c.Slots, c.Decoders = 1, 1
	r := start(b, c)
	all := speech(b)
	samples := 0
	before := cpu(b)
	for b.Loop() {
		samples = 0
		for rest := all; len(rest) >= n; rest = rest[n:] {
			recognize(b, r, asr.Params{}, rest[:n])
			samples += n
		}
	}
	report(b, cpu(b)-before, samples)
}

func BenchmarkFinal(b *testing.B) {
	for _, n := range []int{1, 3, 5, 10} {
		b.Run(fmt.Sprintf("%ds", n), func(b *testing.B) { benchmarkFinal(b, Config{}, n*asr.Rate) })
	}
	b.Run("accurate/3s", func(b *testing.B) { benchmarkFinal(b, Config{Accurate: true}, 3*asr.Rate) })
}

// BenchmarkPause measures the wait from the end of three seconds of speech to their final. The end
// is 200 ms after a pause, which may be announced.
func BenchmarkPause(b *testing.B) {
	r := start(b, Config{Slots: 2, Decoders: 2})
	samples := speech(b)[:3*asr.Rate]
	for name, tell := range map[string]bool{"told": true, "not": false} {
		b.Run(name, func(b *testing.B) {
			var waited time.Duration
			for b.Loop() {
				u, err := r.Open(b.Context(), asr.Params{})
				if err != nil {
					b.Fatal(err)
				}
				if err := u.Write(samples); err != nil {
					b.Fatal(err)
				}
				if tell {
					err = u.Pause()
				}
				time.Sleep(200 * time.Millisecond)
				ended := time.Now()
				if err := errors.Join(err, u.End()); err != nil {
					b.Fatal(err)
				}
				outcome(b, u)
				waited += time.Since(ended)
			}
			b.ReportMetric(float64(waited.Milliseconds())/float64(b.N), "ms-to-final")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkLive feeds the live pass alone, and prints the longest chunk that a final may have to
// wait for.
func BenchmarkLive(b *testing.B) {
	r := start(b, Config{Slots: 1, Decoders: 2})
	d := r.lives[0]
	all := speech(b)
	before := cpu(b)
	var longest time.Duration
	for b.Loop() {
		if err := d.Begin(); err != nil {
			b.Fatal(err)
		}
		for rest := all; len(rest) >= r.every; rest = rest[r.every:] {
			began := time.Now()
			if _, err := d.Feed(rest[:r.every]); err != nil {
				b.Fatal(err)
			}
			longest = max(longest, time.Since(began))
		}
	}
	report(b, cpu(b)-before, len(all))
	b.ReportMetric(float64(longest)/float64(r.config.PartialEvery), "longest-chunk/audio")
}

// BenchmarkLoad prints the memory that a decoder of each kind has after use, compared with the 30
// MB of its three files.
func BenchmarkLoad(b *testing.B) {
	for name, c := range map[string]Config{
		"final": {Slots: 1, Decoders: 6, FinalDecoders: 6}, "live": {Slots: 1, Decoders: 7, FinalDecoders: 1},
	} {
		b.Run(name, func(b *testing.B) {
			one := start(b, Config{Slots: 1, Decoders: 1}) // what the libraries and the first decoder take once
			defer one.Close()
			before, began := resident(b), cpu(b)
			r := start(b, c)
			for _, d := range r.lives {
				if err := d.Begin(); err != nil {
					b.Fatal(err)
				}
				if _, err := d.Feed(speech(b)[:3*asr.Rate]); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(resident(b)-before)/float64(c.Decoders)/1e6, "MB/decoder")
			b.ReportMetric((cpu(b)-began).Seconds()/float64(c.Decoders), "cpu-s/decoder")
			b.ReportMetric(0, "ns/op")
		})
	}
}

func resident(b *testing.B) int {
	status, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		b.Fatal(err)
	}
	var size, pages int
	if _, err := fmt.Fscan(bytes.NewReader(status), &size, &pages); err != nil {
		b.Fatal(err)
	}
	return pages * os.Getpagesize()
}

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"steno/cmd/cmdtest"
	"steno/session/asr"
	"steno/session/asr/local"
)

// BenchmarkTwoPasses prints how long a final comes after the endpointer's decision where it is made
// by a pass over the whole utterance of a given cost, begun in the silence in which the end is
// waited for, and where it is begun at the end. Real sessions in real time, endpointing 0.3 s, an
// engine process whose final pass takes that long and no processor. Both play at the same time,
// five runs.
func BenchmarkTwoPasses(b *testing.B) {
	pcm := spokenTestData(b)
	costs := []time.Duration{50 * time.Millisecond, 150 * time.Millisecond, 300 * time.Millisecond}
	var engines []asr.Recognizer
	for _, cost := range costs {
		engines = append(engines, costlyEngine(b, cost))
	}
	begun, ended := make([][]float64, len(costs)), make([][]float64, len(costs)) // ms
	for range 5 {
		var wait sync.WaitGroup
		for i := range costs {
			wait.Go(func() { begun[i] = append(begun[i], finalDelays(spoken(b, engines[i], pcm, shortPauses))...) })
			wait.Go(func() {
				ended[i] = append(ended[i],
					finalDelays(spoken(b, unpaused{engines[i]}, pcm, shortPauses))...)
			})
		}
		wait.Wait()
	}
	fmt.Printf("\n%-16s %8s %22s %22s\n", "final pass takes", "finals", "begun in the silence", "begun at the end")
	fmt.Printf("%-16s %8s %11s %10s %11s %10s\n", "", "", "median, ms", "p95", "median, ms", "p95")
	for i, cost := range costs {
		fmt.Printf("%-16v %8d %11.0f %10.0f %11.0f %10.0f\n", cost, len(begun[i]), at(begun[i], 0.5),
			at(begun[i], 0.95),
			at(ended[i], 0.5), at(ended[i], 0.95))
		b.ReportMetric(at(begun[i], 0.5), fmt.Sprintf("ms-median/%v", cost))
	}
}

// unpaused is a recognizer without reports of pauses.
type unpaused struct{ asr.Recognizer }

func (r unpaused) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	u, err := r.Recognizer.Open(ctx, p)
	return unpausedStream{u}, err
}

type unpausedStream struct{ asr.Stream }

func (unpausedStream) Pause() error { return nil }

// costlyEngine is an engine process whose finals take that long.
func costlyEngine(b *testing.B, cost time.Duration) asr.Recognizer {
	b.Helper()
	engine, err := local.Start(b.Context(), local.Config{
		Binary: cmdtest.Build(b, "steno-engine"), Args: []string{"--engine=scripted", "--scripted-delay=" +
			cost.String()},
	})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = engine.Close() })
	return engine
}

// spokenTestData returns the speech of Debian's test recordings, with a second of silence after
// each.
func spokenTestData(b *testing.B) []byte {
	files, _ := filepath.Glob("/usr/share/pocketsphinx/test/data/librivox/*.wav")
	var pcm []byte
	for _, f := range files {
		content, err := os.ReadFile(f)
		if err != nil {
			b.Fatal(err)
		}
		pcm = append(pcm, content[44:]...)
		pcm = append(pcm, make([]byte, 2*asr.Rate)...)
	}
	if pcm == nil {
		b.Skip("no recordings: install pocketsphinx-testdata")
	}
	return pcm
}

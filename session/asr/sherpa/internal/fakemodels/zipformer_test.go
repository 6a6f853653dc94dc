//go:build linux && cgo

package fakemodels

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	sherpa "github.com/k2-fsa/sherpa-onnx-go-linux"

	"steno/session/asr/sherpa/onnx"
)

func zipformerOf(t testing.TB, size Size, threads int) *sherpa.OnlineRecognizer {
	t.Helper()
	dir := written(t, func(dir string) error { return WriteZipformer(dir, size) })
	var c sherpa.OnlineRecognizerConfig
	c.ModelConfig.Tokens = filepath.Join(dir, "tokens.txt")
	c.ModelConfig.Transducer = sherpa.OnlineTransducerModelConfig{
		Encoder: one(t, dir, "encoder"), Decoder: one(t, dir, "decoder"), Joiner: one(t, dir, "joiner"),
	}
	c.ModelConfig.NumThreads = threads
	c.DecodingMethod = "greedy_search"
	return online(t, c)
}

func TestZipformerHasItsSize(t *testing.T) {
	for size, want := range map[Size]int64{Small: 23e6, Medium: 66e6} {
		dir := written(t, func(dir string) error { return WriteZipformer(dir, size) })
		total := int64(0)
		for _, part := range []string{"encoder", "decoder", "joiner"} {
			info, err := onnx.Read(one(t, dir, part))
			if err != nil {
				t.Fatal(err)
			}
			total += info.Parameters
		}
		if total < want*95/100 || total > want*105/100 {
			t.Errorf("size %d has %d parameters, want about %d", size, total, want)
		}
	}
}

// account is the library's result for a stream.
type account struct {
	Tokens        []string
	Timestamps    []float64
	Probabilities []float64 `json:"ys_probs"` // their logarithms
}

// together decodes recordings of equal length in one batch.
func together(t testing.TB, r *sherpa.OnlineRecognizer, recordings ...[]int16) []account {
	t.Helper()
	streams := make([]*sherpa.OnlineStream, len(recordings))
	for i, samples := range recordings {
		streams[i] = sherpa.NewOnlineStream(r)
		defer sherpa.DeleteOnlineStream(streams[i])
		streams[i].AcceptWaveform(SampleRate, floats(samples))
	}
	for r.IsReady(streams[0]) {
		r.DecodeStreams(streams)
	}
	accounts := make([]account, len(streams))
	for i, s := range streams {
		if err := json.Unmarshal([]byte(r.GetResult(s).Json), &accounts[i]); err != nil {
			t.Fatal(err)
		}
	}
	return accounts
}

// recordings are four of the given length.
func recordings(length time.Duration) (all [][]int16) {
	for _, words := range [][]string{{"alpha", "bravo"}, {"delta", "no", "no"}, {"golf", "hotel"}, {"echo"}} {
		var s Speech
		for len(s.Samples) < samples(length) {
			s.AddWords(English(), words...)
		}
		all = append(all, s.Samples[:samples(length)])
	}
	return all
}

// alike reports whether two accounts agree, and by how much their probabilities differ.
func alike(a, b account) (bool, float64) {
	if !slices.Equal(a.Tokens, b.Tokens) || !slices.Equal(a.Timestamps, b.Timestamps) {
		return false, 0
	}
	differ := 0.0
	for i := range a.Probabilities {
		differ = max(differ, math.Abs(a.Probabilities[i]-b.Probabilities[i]))
	}
	return true, differ
}

// With one thread for each operation, a stream's log probabilities are the same to the last digit
// printed (1e-6), however many streams are decoded with it. With two threads they are not: how sums
// are divided then depends on the size of the batch, and log probabilities differ by some 1e-4.
func TestZipformerHearsTheSameInAnyBatch(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	all := recordings(1500 * time.Millisecond)[:3]
	single := zipformerOf(t, Small, 1)
	var alone []account
	for _, samples := range all {
		alone = append(alone, together(t, single, samples)...)
	}
	tokens := 0
	for _, a := range alone {
		tokens += len(a.Tokens)
	}
	if frames := 3 * 3 * 25 / 2; tokens < frames/20 || tokens > frames/3 {
		t.Errorf("%d tokens in %d frames are not like speech", tokens, frames)
	}
	for i, got := range together(t, single, all...) {
		if same, differ := alike(got, alone[i]); !same || differ != 0 {
			t.Errorf("stream %d: %v, alone %v", i, got, alone[i])
		}
	}
}

// cost reports how much audio is decoded in a second, and the processor's time for a
// second of audio, which other load on the machine hardly changes.
func cost(b *testing.B, length time.Duration, decode func()) {
	var before, after syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &before); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		decode()
	}
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &after); err != nil {
		b.Fatal(err)
	}
	audio := length.Seconds() * float64(b.N)
	b.ReportMetric(audio/b.Elapsed().Seconds(), "audio-s/s")
	busy := after.Utime.Nano() + after.Stime.Nano() - before.Utime.Nano() - before.Stime.Nano()
	b.ReportMetric(float64(busy)/1e9/audio, "cpu-s/audio-s")
}

// BenchmarkZipformer measures the cost of decoding alone and in batches.
func BenchmarkZipformer(b *testing.B) {
	const length = 4 * time.Second
	all := recordings(length)
	for size, name := range []string{"small", "medium"} {
		for _, threads := range []int{1, 2} {
			r := zipformerOf(b, Size(size), threads)
			for _, n := range []int{1, 2, 4, 8, 16} {
				var batch [][]int16
				for i := range n {
					batch = append(batch, all[i%len(all)])
				}
				b.Run(fmt.Sprintf("%s/threads=%d/streams=%d", name, threads, n), func(b *testing.B) {
					cost(b, length*time.Duration(n), func() { together(b, r, batch...) })
				})
			}
		}
	}
}

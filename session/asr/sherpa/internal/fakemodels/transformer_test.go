//go:build linux && cgo

package fakemodels

import (
	"fmt"
	"slices"
	"testing"
	"time"

	sherpa "github.com/k2-fsa/sherpa-onnx-go-linux"
)

func transformerModel(t testing.TB, threads int) *sherpa.OfflineRecognizer {
	t.Helper()
	dir := written(t, WriteTransformer)
	var c sherpa.OfflineRecognizerConfig
	c.ModelConfig.Transducer = sherpa.OfflineTransducerModelConfig{
		Encoder: one(t, dir, "encoder"), Decoder: one(t, dir, "decoder"), Joiner: one(t, dir, "joiner"),
	}
	c.ModelConfig.NumThreads = threads
	c.DecodingMethod = "greedy_search"
	return offline(t, dir, c)
}

// A recording has the same log probabilities, to the bit, alone and in a batch with longer and
// shorter ones: padding is masked, and one thread sums in one order.
func TestTransformerHearsTheSameInAnyBatch(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	r := transformerModel(t, 1)
	all := recordings(1500 * time.Millisecond)[:2]
	all[0] = all[0][:17001]
	for i, got := range decode(r, all...) {
		alone := decode(r, all[i])[0]
		if len(alone.Tokens) < 3 {
			t.Errorf("recording %d has only the tokens %v", i, alone.Tokens)
		}
		if !slices.Equal(got.Tokens, alone.Tokens) || !slices.Equal(got.YsLogProbs, alone.YsLogProbs) {
			t.Errorf("recording %d: %v %v, alone %v %v", i, got.Tokens, got.YsLogProbs, alone.Tokens, alone.YsLogProbs)
		}
	}
}

// BenchmarkTransformer measures the cost of decoding alone and in batches.
func BenchmarkTransformer(b *testing.B) {
	const length = 4 * time.Second
	all := recordings(length)
	for _, threads := range []int{1, 2} {
		r := transformerModel(b, threads)
		for _, n := range []int{1, 2, 4, 8} {
			batch := slices.Repeat(all, 2)[:n]
			b.Run(fmt.Sprintf("threads=%d/recordings=%d", threads, n), func(b *testing.B) {
				cost(b, length*time.Duration(n), func() { decode(r, batch...) })
			})
		}
	}
}

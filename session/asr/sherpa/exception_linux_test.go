//go:build linux && cgo && (amd64 || arm64 || arm)

package sherpa

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	library "github.com/k2-fsa/sherpa-onnx-go-linux"

	"steno/session/asr"
	"steno/session/asr/asrtest/corpus"
	"steno/session/asr/sherpa/folder"
	"steno/session/asr/whole"
)

// moonshine loads the model that STENO_TEST_MODELS names, which this package leaves to another
// engine otherwise.
func moonshine(t *testing.T) *offlineModel {
	t.Helper()
	dir := filepath.Join(os.Getenv("STENO_TEST_MODELS"), "moonshine-tiny-en")
	if _, err := os.Stat(dir); err != nil || os.Getenv("STENO_TEST_MODELS") == "" {
		t.Skip("STENO_TEST_MODELS names no folder with moonshine-tiny-en")
	}
	var config library.OfflineRecognizerConfig
	config.FeatConfig = library.FeatureConfig{SampleRate: asr.Rate, FeatureDim: 80}
	config.DecodingMethod = greedy
	config.ModelConfig.Tokens, config.ModelConfig.NumThreads = filepath.Join(dir, "tokens.txt"), 1
	config.ModelConfig.Moonshine.Encoder = filepath.Join(dir, "encoder_model.ort")
	config.ModelConfig.Moonshine.MergedDecoder = filepath.Join(dir, "decoder_model_merged.ort")
	m := &offlineModel{impl: library.NewOfflineRecognizer(&config)}
	t.Cleanup(m.Free)
	return m
}

// TestException decodes with a model whose inputs the library mistakes where audio is longer than
// 9.2 s: that fails, and what another thread decodes at the same time does not.
func TestException(t *testing.T) {
	m := moonshine(t)
	audio := make([]float32, 12*asr.Rate)
	for i := range audio {
		audio[i] = float32(i%97)/97 - 0.5
	}
	var both sync.WaitGroup
	both.Go(func() {
		if _, err := m.Decode(audio, "", ""); err == nil || !strings.HasPrefix(err.Error(), "exception: ") {
			t.Errorf("12 s: %v, want an exception", err)
		}
	})
	both.Go(func() {
		for range 2 {
			if _, err := m.Decode(audio[:2*asr.Rate], "", ""); err != nil {
				t.Errorf("2 s: %v", err)
			}
		}
	})
	both.Wait()
}

// TestPartialsStand follows recordings that a model of whole utterances decodes again each half
// second. Of the words of a partial, the last apart, nine in ten stand in the final; how many
// exactly differs between processors.
func TestPartialsStand(t *testing.T) {
	d := decoder{&model{offline: moonshine(t), spec: folder.Model{Languages: []string{"en"}}}}
	if testing.Short() {
		t.Skip("decodes recordings a dozen times each")
	}
	clips := 0
	read := corpus.Read(t, func(e corpus.Entry) bool {
		clips++
		return e.Source() == "librispeech-test-other" && clips%25 == 0
	})
	shown, stood := 0, 0
	for _, clip := range read {
		samples := clip.Samples[:min(len(clip.Samples), 6*asr.Rate)]
		final, err := d.Decode(whole.Piece{Samples: samples, To: len(samples)})
		if err != nil {
			t.Fatal(err)
		}
		said := plainWords(d, final)
		var after any
		for n := asr.Rate; n < len(samples); n += asr.Rate / 2 {
			var out any
			if out, after, err = d.Partial(whole.Piece{Samples: samples[:n], To: n}, after); err != nil {
				t.Fatal(err)
			}
			words := plainWords(d, out)
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
	t.Logf("%d of %d words of partials stood in the finals of %d recordings", stood, shown, len(read))
	if stood*100 < shown*85 {
		t.Errorf("%d of %d words of partials stood in the final", stood, shown)
	}
}

// plainWords returns an outcome's words without case and punctuation.
func plainWords(d decoder, outcome any) []string {
	return corpus.Words(strings.Join(texts(d.Result(asr.Params{}, []any{outcome}).Words), " "))
}

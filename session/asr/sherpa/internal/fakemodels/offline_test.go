//go:build linux && cgo

package fakemodels

import (
	"path/filepath"
	"testing"

	sherpa "github.com/k2-fsa/sherpa-onnx-go-linux"
)

func offline(t testing.TB, dir string, config sherpa.OfflineRecognizerConfig) *sherpa.OfflineRecognizer {
	t.Helper()
	config.FeatConfig = sherpa.FeatureConfig{SampleRate: SampleRate, FeatureDim: Bands}
	config.ModelConfig.NumThreads = max(1, config.ModelConfig.NumThreads)
	config.ModelConfig.Tokens = filepath.Join(dir, "tokens.txt")
	r := sherpa.NewOfflineRecognizer(&config)
	if r == nil {
		t.Fatal("the library does not take the model")
	}
	t.Cleanup(func() { sherpa.DeleteOfflineRecognizer(r) })
	return r
}

func offlineCTC(t testing.TB, a Alphabet) *sherpa.OfflineRecognizer {
	dir := written(t, a.WriteOfflineCTC)
	var c sherpa.OfflineRecognizerConfig
	c.ModelConfig.ZipformerCtc.Model = one(t, dir, "model")
	c.DecodingMethod = "greedy_search"
	return offline(t, dir, c)
}

func offlineTransducer(t testing.TB, a Alphabet, hotwords bool) *sherpa.OfflineRecognizer {
	dir := written(t, a.WriteOfflineTransducer)
	var c sherpa.OfflineRecognizerConfig
	c.ModelConfig.Transducer = sherpa.OfflineTransducerModelConfig{
		Encoder: one(t, dir, "encoder"), Decoder: one(t, dir, "decoder"), Joiner: one(t, dir, "joiner"),
	}
	c.DecodingMethod = "greedy_search"
	if hotwords {
		c.DecodingMethod, c.MaxActivePaths, c.HotwordsScore = "modified_beam_search", 4, 1.5
		c.ModelConfig.ModelingUnit, c.ModelConfig.BpeVocab = "bpe", filepath.Join(dir, "bpe.vocab")
	}
	return offline(t, dir, c)
}

func decode(r *sherpa.OfflineRecognizer, all ...[]int16) []*sherpa.OfflineRecognizerResult {
	streams := make([]*sherpa.OfflineStream, len(all))
	for i, samples := range all {
		streams[i] = sherpa.NewOfflineStream(r)
		defer sherpa.DeleteOfflineStream(streams[i])
		streams[i].AcceptWaveform(SampleRate, floats(samples))
	}
	r.DecodeStreams(streams)
	results := make([]*sherpa.OfflineRecognizerResult, len(all))
	for i, s := range streams {
		results[i] = s.GetResult()
	}
	return results
}

func TestOfflineModelsHearWhatWasSaid(t *testing.T) {
	for _, a := range []Alphabet{English(), French()} {
		said := long(a)
		for name, r := range map[string]*sherpa.OfflineRecognizer{
			"ctc": offlineCTC(t, a), "greedy": offlineTransducer(t, a, false), "beam": offlineTransducer(t, a, true),
		} {
			t.Run(a.Language+" "+name, func(t *testing.T) {
				got := decode(r, said.Samples)[0]
				check(t, got.Tokens, got.Timestamps, said.Tokens)
			})
		}
	}
}

func TestOfflineModelsHearEachOfABatch(t *testing.T) {
	a := English()
	short, shortTruth := a.Speak("alpha", "no")
	said := long(a)
	for name, r := range map[string]*sherpa.OfflineRecognizer{
		"ctc": offlineCTC(t, a), "greedy": offlineTransducer(t, a, false), "beam": offlineTransducer(t, a, true),
	} {
		t.Run(name, func(t *testing.T) {
			got := decode(r, short, said.Samples, short)
			check(t, got[0].Tokens, got[0].Timestamps, shortTruth)
			check(t, got[1].Tokens, got[1].Timestamps, said.Tokens)
			check(t, got[2].Tokens, got[2].Timestamps, shortTruth)
		})
	}
}

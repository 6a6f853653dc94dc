//go:build linux && cgo

package fakemodels

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	sherpa "github.com/k2-fsa/sherpa-onnx-go-linux"
)

// one is the only file in dir whose name begins with start.
func one(t testing.TB, dir, start string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, start+"*.onnx"))
	if err != nil || len(found) != 1 {
		t.Fatalf("%d files are named %s*.onnx", len(found), start)
	}
	return found[0]
}

func written(t testing.TB, write func(string) error) string {
	t.Helper()
	dir := t.TempDir()
	if err := write(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

func online(t testing.TB, config sherpa.OnlineRecognizerConfig) *sherpa.OnlineRecognizer {
	t.Helper()
	config.FeatConfig = sherpa.FeatureConfig{SampleRate: SampleRate, FeatureDim: Bands}
	config.ModelConfig.NumThreads = max(1, config.ModelConfig.NumThreads)
	r := sherpa.NewOnlineRecognizer(&config)
	if r == nil {
		t.Fatal("the library does not take the model")
	}
	t.Cleanup(func() { sherpa.DeleteOnlineRecognizer(r) })
	return r
}

func streamingCTC(t testing.TB, a Alphabet) *sherpa.OnlineRecognizer {
	dir := written(t, a.WriteStreamingCTC)
	var c sherpa.OnlineRecognizerConfig
	c.ModelConfig.Tokens = filepath.Join(dir, "tokens.txt")
	c.ModelConfig.Zipformer2Ctc.Model = one(t, dir, "ctc")
	c.DecodingMethod = "greedy_search"
	return online(t, c)
}

func streamingTransducer(t testing.TB, a Alphabet, hotwords string) *sherpa.OnlineRecognizer {
	dir := written(t, a.WriteStreamingTransducer)
	var c sherpa.OnlineRecognizerConfig
	c.ModelConfig.Tokens = filepath.Join(dir, "tokens.txt")
	c.ModelConfig.Transducer = sherpa.OnlineTransducerModelConfig{
		Encoder: one(t, dir, "encoder"), Decoder: one(t, dir, "decoder"), Joiner: one(t, dir, "joiner"),
	}
	c.DecodingMethod = "greedy_search"
	if hotwords != "" {
		c.DecodingMethod, c.MaxActivePaths, c.HotwordsScore = "modified_beam_search", 4, 1.5
		c.ModelConfig.ModelingUnit, c.ModelConfig.BpeVocab = "bpe", filepath.Join(dir, "bpe.vocab")
		c.HotwordsBuf, c.HotwordsBufSize = hotwords, len(hotwords)
	}
	return online(t, c)
}

// padding lets the library decode the last frames.
var padding = make([]float32, SampleRate*6/10)

func floats(samples []int16) []float32 {
	f := make([]float32, len(samples))
	for i, s := range samples {
		f[i] = float32(s) / 32768
	}
	return f
}

// stream passes samples to r in chunks of n.
func stream(t testing.TB, r *sherpa.OnlineRecognizer, samples []int16, n int) *sherpa.OnlineRecognizerResult {
	t.Helper()
	s := sherpa.NewOnlineStream(r)
	defer sherpa.DeleteOnlineStream(s)
	for part := range slices.Chunk(floats(samples), n) {
		s.AcceptWaveform(SampleRate, part)
		for r.IsReady(s) {
			r.Decode(s)
		}
	}
	s.AcceptWaveform(SampleRate, padding)
	s.InputFinished()
	for r.IsReady(s) {
		r.Decode(s)
	}
	return r.GetResult(s)
}

// check compares tokens and their times, in seconds, with what was said.
func check(t testing.TB, tokens []string, times []float32, truth []Token) {
	t.Helper()
	if len(tokens) != len(truth) || len(times) != len(truth) {
		t.Fatalf("heard %q at %v, %d pieces were said", tokens, times, len(truth))
	}
	for i, want := range truth {
		if got := strings.Replace(tokens[i], " ", Start, 1); got != want.Text {
			t.Errorf("piece %d is %q, want %q", i, got, want.Text)
		}
		if late := float64(times[i]) - float64(want.Start)/SampleRate; math.Abs(late) > 0.06 {
			t.Errorf("piece %d, %q, is %.3f s late", i, want.Text, late)
		}
	}
}

// long has every piece of a, equal pieces in a row, and words at every alignment.
func long(a Alphabet) Speech {
	var s Speech
	for i := range 4 {
		s.Pause(samplesTime(1000 + 170*i))
		for _, p := range a.Pieces {
			if strings.HasPrefix(p.Text, Start) {
				s.AddWords(a, strings.TrimPrefix(p.Text, Start))
				s.AddWords(a, a.after(p.Text))
			}
		}
	}
	return s
}

func samplesTime(n int) time.Duration { return time.Duration(n) * time.Second / SampleRate }

// after is the word of two pieces that begins with piece, if there is one, else piece
// itself.
func (a Alphabet) after(piece string) string {
	for i, p := range a.Pieces {
		if p.Text == piece && i+1 < len(a.Pieces) && !strings.HasPrefix(a.Pieces[i+1].Text, Start) {
			piece += a.Pieces[i+1].Text
		}
	}
	return strings.TrimPrefix(piece, Start)
}

func TestStreamingModelsHearWhatWasSaid(t *testing.T) {
	for _, a := range []Alphabet{English(), French()} {
		said := long(a)
		for name, r := range map[string]*sherpa.OnlineRecognizer{
			"ctc": streamingCTC(t, a), "greedy": streamingTransducer(t, a, ""), "beam": streamingTransducer(t, a,
				a.after(a.Pieces[0].Text)),
		} {
			t.Run(a.Language+" "+name, func(t *testing.T) {
				for _, chunk := range []int{len(said.Samples), 1600, 321} {
					got := stream(t, r, said.Samples, chunk)
					check(t, got.Tokens, got.Timestamps, said.Tokens)
				}
			})
		}
	}
}

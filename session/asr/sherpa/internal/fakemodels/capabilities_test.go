//go:build linux && cgo

package fakemodels

import (
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sherpa "github.com/k2-fsa/sherpa-onnx-go-linux"
)

func TestIdentifierTellsLanguages(t *testing.T) {
	dir := written(t, func(dir string) error { return WriteIdentifier(dir, English(), French()) })
	id := sherpa.NewSpokenLanguageIdentification(&sherpa.SpokenLanguageIdentificationConfig{
		Whisper: sherpa.SpokenLanguageIdentificationWhisperConfig{
			Encoder: filepath.Join(dir, "tiny-encoder.onnx"), Decoder: filepath.Join(dir, "tiny-decoder.onnx"),
		},
		NumThreads: 1,
	})
	if id == nil {
		t.Fatal("the library does not take the model")
	}
	defer sherpa.DeleteSpokenLanguageIdentification(id)
	for _, a := range []Alphabet{English(), French()} {
		for _, p := range a.Pieces {
			if !strings.HasPrefix(p.Text, Start) {
				continue
			}
			samples, _ := a.Speak(a.after(p.Text))
			s := id.CreateStream()
			s.AcceptWaveform(SampleRate, floats(samples))
			if got := id.Compute(s).Lang; got != a.Language {
				t.Errorf("%q is %q, want %q", a.after(p.Text), got, a.Language)
			}
			sherpa.DeleteOfflineStream(s)
		}
	}
}

func TestPunctuatorSetsMarks(t *testing.T) {
	dir := written(t, func(dir string) error {
		return WritePunctuator(dir, map[string]string{"alpha": Comma, "echo": Question, "golf": Stop})
	})
	p := sherpa.NewOfflinePunctuation(&sherpa.OfflinePunctuationConfig{
		Model: sherpa.OfflinePunctuationModelConfig{CtTransformer: filepath.Join(dir, "model.onnx"), NumThreads: 1},
	})
	if p == nil {
		t.Fatal("the library does not take the model")
	}
	defer sherpa.DeleteOfflinePunc(p)
	for text, want := range map[string]string{
		"alpha bravo golf hotel": "alpha，bravo golf。hotel。", "bravo echo": "bravo echo？", "no": "no。",
	} {
		if got := p.AddPunct(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

func TestSegmenterAndEmbedderTellSpeakers(t *testing.T) {
	languages := []Alphabet{English(), French()}
	segmenter := written(t, func(dir string) error { return WriteSegmenter(dir, languages...) })
	embedder := written(t, func(dir string) error { return WriteEmbedder(dir, languages...) })
	d := sherpa.NewOfflineSpeakerDiarization(&sherpa.OfflineSpeakerDiarizationConfig{
		Segmentation: sherpa.OfflineSpeakerSegmentationModelConfig{
			Pyannote: sherpa.OfflineSpeakerSegmentationPyannoteModelConfig{Model: filepath.Join(segmenter,
				"model.onnx"), WindowShiftRatio: 0.1},
			NumThreads: 1,
		},
		Embedding: sherpa.SpeakerEmbeddingExtractorConfig{Model: filepath.Join(embedder, "model.onnx"),
			NumThreads: 1},
		Clustering:     sherpa.FastClusteringConfig{NumClusters: -1, Threshold: 0.5},
		MinDurationOn:  0.3,
		MinDurationOff: 0.5,
	})
	if d == nil {
		t.Fatal("the library does not take the models")
	}
	defer sherpa.DeleteOfflineSpeakerDiarization(d)
	var s Speech
	type turn struct{ start, end float64 }
	var turns []turn
	for i := range 6 {
		s.Pause(time.Second)
		first := len(s.Tokens)
		for range 3 {
			a := languages[i%2]
			s.AddWords(a, a.after(a.Pieces[0].Text), a.after(a.Pieces[2*i].Text))
		}
		turns = append(turns, turn{float64(s.Tokens[first].Start) / SampleRate,
			float64(s.Tokens[len(s.Tokens)-1].End) / SampleRate})
	}
	got := d.Process(floats(s.Samples))
	if len(got) != len(turns) {
		t.Fatalf("found %v, there are the turns %v", got, turns)
	}
	for i, segment := range got {
		if math.Abs(float64(segment.Start)-turns[i].start) > 0.1 || math.Abs(float64(segment.End)-turns[i].end) > 0.1 {
			t.Errorf("turn %d is %v, want %v", i, segment, turns[i])
		}
		if segment.Speaker != got[i%2].Speaker || got[0].Speaker == got[1].Speaker {
			t.Errorf("turn %d is of speaker %d, all are %v", i, segment.Speaker, got)
		}
	}
}

func TestDenoiserTakesNoiseAway(t *testing.T) {
	dir := written(t, WriteDenoiser)
	var c sherpa.OnlineSpeechDenoiserConfig
	c.Model.Gtcrn.Model = filepath.Join(dir, "gtcrn.onnx")
	c.Model.NumThreads = 1
	d := sherpa.NewOnlineSpeechDenoiser(&c)
	if d == nil {
		t.Fatal("the library does not take the model")
	}
	defer sherpa.DeleteOnlineSpeechDenoiser(d)
	var s Speech
	s.Pause(time.Second)
	s.AddWords(English(), "alpha")
	s.Pause(time.Second)
	noisy := floats(s.Samples)
	for i := range noisy {
		noisy[i] += float32(0.002 * math.Sin(float64(i)*float64(i)*0.7))
	}
	clean := d.Run(noisy, SampleRate).Samples
	clean = append(clean, d.Flush().Samples...)
	pause := [2]int{SampleRate / 4, SampleRate * 3 / 4}
	word := [2]int{s.Tokens[0].Start, s.Tokens[0].End}
	if less := level(clean, pause) / level(noisy, pause); less > 0.3 {
		t.Errorf("noise in the pause is %.2f of what it was", less)
	}
	if kept := level(clean, word) / level(noisy, word); kept < 0.9 || kept > 1.1 {
		t.Errorf("speech is %.2f of what it was", kept)
	}
}

func level(samples []float32, part [2]int) float64 {
	sum := 0.0
	for _, v := range samples[part[0]:part[1]] {
		sum += float64(v) * float64(v)
	}
	return math.Sqrt(sum / float64(part[1]-part[0]))
}

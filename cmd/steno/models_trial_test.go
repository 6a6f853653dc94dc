//go:build linux && cgo && (amd64 || arm64 || arm)

package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"steno/audio"
	"steno/cmd/cmdtest"
	"steno/session/asr/models"
	"steno/session/asr/sherpa/sherpatest"
)

// TestModelsPullTestsTheModel pulls models that are real but small from a server: each is decoded
// with what lies in its archive, and only one that understands it is taken into use.
func TestModelsPullTestsTheModel(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and starts the engine")
	}
	engine := cmdtest.Build(t, "steno-engine")
	a := sherpatest.English()
	samples, _ := a.Speak("alpha", "bravo", "no", "hotel", "echo", "golf")
	format := audio.Format{Encoding: audio.PCM, SampleRate: sherpatest.SampleRate, BitDepth: 16, Channels: 1}
	sound := audio.AppendPCM(audio.WAVHeader(format, int64(2*len(samples))), samples)
	silence := append(audio.WAVHeader(format, int64(2*len(samples))), make([]byte, 2*len(samples))...)

	for _, tt := range []struct {
		name       string
		write      func(dir string) error
		recordings map[string][]byte
		kind       models.Kind
		prints     []string
		refused    string // by an error that contains this; empty: it is installed
	}{
		{
			name: "right", write: a.WriteStreamingCTC, kind: models.OnlineZipformer2,
			recordings: map[string][]byte{"0.wav": sound,
				"trans.txt": []byte("0.wav ALPHA BRAVO NO HOTEL ECHO GOLF\n"), "quiet.wav": silence},
			prints: []string{"0.wav (", "word error rate 0.0 %): alpha bravo no hotel echo golf\n", "quiet.wav (",
				"(nothing)", "right: real-time factor 0.", "0.0 % of 6 words\n", "right is installed in "},
		},
		{
			name: "without-text", write: a.WriteOfflineCTC, kind: models.OfflineZipformerCTC,
			recordings: map[string][]byte{"en.wav": sound},
			prints: []string{"alpha bravo no hotel echo golf", "without-text: real-time factor",
				"without-text is installed in "},
		},
		{
			name: "without-recordings", write: a.WriteOfflineCTC, kind: models.OfflineZipformerCTC,
			prints: []string{"without-recordings runs on this machine; no recording came with it\n", "is installed in"},
		},
		{
			name: "other-words", write: a.WriteStreamingCTC, kind: models.OnlineZipformer2,
			recordings: map[string][]byte{"0.wav": sound, "0.txt": []byte("quite another thing was said here")},
			prints:     []string{"word error rate 100.0 %"}, refused: "its word error rate is 100.0 %",
		},
		{
			name: "deaf", write: a.WriteStreamingCTC, kind: models.OnlineZipformer2,
			recordings: map[string][]byte{"0.wav": silence},
			refused:    "it hears nothing",
		},
		{
			name: "broken", kind: models.OfflineZipformerCTC, recordings: map[string][]byte{"0.wav": sound},
			refused: "it cannot be loaded",
			write: func(dir string) error {
				return errors.Join(os.WriteFile(filepath.Join(dir, "model.onnx"), []byte("no model"), 0o600),
					os.WriteFile(filepath.Join(dir, "tokens.txt"), []byte("a 0\n"), 0o600))
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			address, asked := mirror(t, modelArchive(t, tt.write, tt.recordings))
			e := models.Entry{Name: tt.name, Languages: []string{"en"}, Kind: tt.kind,
				Address: "https://example.org/asr-models/" + tt.name + ".tar.gz"}
			var out bytes.Buffer
			p := &process{stdout: &out, stderr: &out, environ: []string{"STENO_ENGINES_BINARY=" + engine}}
			dir := t.TempDir()
			pull := modelsPullCmd{Address: address, Unverified: true}
			err := pull.pull(t.Context(), e, dir, p)
			for _, want := range tt.prints {
				if !strings.Contains(out.String(), want) {
					t.Errorf("no %q in\n%s", want, &out)
				}
			}
			_, missing := os.Stat(filepath.Join(dir, tt.name))
			if tt.refused == "" {
				if err != nil || missing != nil {
					t.Errorf("%v, %v\n%s", err, missing, &out)
				}
				return
			}
			if !errors.Is(err, models.ErrTrial) || !strings.Contains(err.Error(), tt.refused) || missing == nil {
				t.Fatalf("%v, want it to say %s; in use: %t\n%s", err, tt.refused, missing == nil, &out)
			}
			// The download is there still.
			pull.NoTest = true
			if err := pull.pull(t.Context(), e, dir, p); err != nil || len(*asked) != 1 {
				t.Errorf("without the test: %v, asked for %v", err, *asked)
			}
		})
	}
}

// modelArchive packs a model with its recordings.
func modelArchive(t *testing.T, write func(dir string) error, recordings map[string][]byte) []byte {
	t.Helper()
	dir := t.TempDir()
	if err := errors.Join(write(dir), os.Mkdir(filepath.Join(dir, "test_wavs"), 0o755)); err != nil {
		t.Fatal(err)
	}
	for name, content := range recordings {
		if err := os.WriteFile(filepath.Join(dir, "test_wavs", name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var packed bytes.Buffer
	zipped := gzip.NewWriter(&packed)
	archive := tar.NewWriter(zipped)
	if err := errors.Join(archive.AddFS(os.DirFS(dir)), archive.Close(), zipped.Close()); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

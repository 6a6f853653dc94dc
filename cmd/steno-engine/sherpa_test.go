//go:build linux && cgo && (amd64 || arm64 || arm)

package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"steno/session/asr"
	"steno/session/asr/asrtest"
	"steno/session/asr/riva"
	"steno/session/asr/riva/enginepb"
	"steno/session/asr/sherpa/sherpatest"
)

// installed returns a folder with two models of one language, one that streams and one that does
// not.
func installed(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	stream, whole := filepath.Join(dir, "stream-en"), filepath.Join(dir, "whole-en")
	err := errors.Join(os.Mkdir(stream, 0o755), os.Mkdir(whole, 0o755),
		sherpatest.English().WriteStreamingTransducer(stream),
		sherpatest.English().WriteOfflineCTC(whole))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// startSherpa runs the program until the test's end, and returns a client of it.
func startSherpa(t *testing.T, args ...string) (*program, *riva.Recognizer) {
	t.Helper()
	var e *program
	t.Cleanup(func() {
		if e != nil {
			e.wait(t)
		}
	})
	socket, err := os.MkdirTemp("", "steno") // the test's own folder has too long a name for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(socket) })
	e = start(t, append([]string{"--engine=sherpa", "--listen=unix:" + filepath.Join(socket, "s")}, args...)...)
	return e, dial(t, riva.Config{Address: e.address})
}

// The bound of utterances is each model's: one that is full has no other model's utterances
// refused.
func TestUtterancesOfEachModel(t *testing.T) {
	dir := installed(t)
	french := filepath.Join(dir, "whole-fr")
	if err := errors.Join(os.Mkdir(french, 0o755), sherpatest.French().WriteOfflineCTC(french)); err != nil {
		t.Fatal(err)
	}
	_, client := startSherpa(t, "--models="+dir, "--utterances=1")
	for _, language := range []string{"en", "fr"} {
		if _, err := client.Open(t.Context(), asr.Params{Language: language}); err != nil {
			t.Errorf("the first in %s: %v", language, err)
		}
		if _, err := client.Open(t.Context(), asr.Params{Language: language}); !errors.Is(err, asr.ErrBusy) {
			t.Errorf("the second in %s: %v, want ErrBusy", language, err)
		}
	}
}

func TestSherpaSuite(t *testing.T) {
	dir := installed(t)
	first, _ := sherpatest.English().Speak("alpha", "bravo", "no", "hotel")
	second, _ := sherpatest.English().Speak("golf", "delta")
	asrtest.Run(t, func(t *testing.T) asr.Recognizer {
		_, client := startSherpa(t, "--models="+dir, "--slots=2")
		return client
	}, first, second)
}

// TestSherpaTwoPasses expects partials of one model, the final of the other, and the figures of
// both.
func TestSherpaTwoPasses(t *testing.T) {
	_, client := startSherpa(t, "--models="+installed(t), "--batch=4", "--batch-wait=1ms")
	u, err := client.Open(t.Context(), asr.Params{Language: "en", Partials: true})
	if err != nil {
		t.Fatal(err)
	}
	samples, _ := sherpatest.English().Speak("alpha", "bravo", "no", "hotel")
	if err := u.Write(samples); err != nil {
		t.Fatal(err)
	}
	for words := 0; words < 4; {
		partial, err := u.Recv()
		if err != nil || partial.Final {
			t.Fatalf("after %d words: %+v, %v", words, partial, err)
		}
		words = len(partial.Words)
	}
	if err := errors.Join(u.Pause(), u.End()); err != nil {
		t.Fatal(err)
	}
	final, err := u.Recv()
	for err == nil && !final.Final {
		final, err = u.Recv()
	}
	if err != nil || len(final.Words) != 4 || final.Words[1].Text != "bravo" {
		t.Errorf("final %+v, %v", final, err)
	}
	figures, err := client.Figures(t.Context())
	if err != nil || figures.Recognizer["models"] != 2 || len(figures.Models) != 2 {
		t.Fatalf("figures %+v, %v", figures, err)
	}
	counted := func(m *enginepb.ModelFigures) bool { return m.Calls > 0 && m.AudioSeconds > 0 && m.DecodeSeconds > 0 }
	// soon after the final
	for deadline := time.Now().Add(time.Minute); !counted(figures.Models[0]) || !counted(figures.Models[1]); {
		if figures, err = client.Figures(t.Context()); err != nil || time.Now().After(deadline) {
			t.Fatalf("figures %+v, %v", figures, err)
		}
	}
}

// TestSherpaWithoutModels starts with nothing there, and takes what comes.
func TestSherpaWithoutModels(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "later")
	_, client := startSherpa(t, "--models="+dir)
	u, err := client.Open(t.Context(), asr.Params{})
	if err == nil {
		_, err = u.Recv()
	}
	if !errors.Is(err, asr.ErrLanguage) {
		t.Errorf("without models: %v, want ErrLanguage", err)
	}
	if models, err := client.Models(t.Context()); err != nil || len(models) > 0 {
		t.Errorf("models %v, %v", models, err)
	}
	if err := os.Rename(installed(t), dir); err != nil {
		t.Fatal(err)
	}
	var models []asr.Model
	for deadline := time.Now().Add(time.Minute); len(models) < 2; time.Sleep(100 * time.Millisecond) {
		if models, err = client.Models(t.Context()); err != nil || time.Now().After(deadline) {
			t.Fatalf("models %v, %v", models, err)
		}
	}
	want := []asr.Model{{Name: "stream-en", Languages: []string{"en"}, Partials: true},
		{Name: "whole-en", Languages: []string{"en"}, Partials: true}}
	if !slices.EqualFunc(models, want, func(a, b asr.Model) bool {
		return a.Name == b.Name && a.Partials ==
			b.Partials
	}) {
		t.Errorf("models %+v, want %+v", models, want)
	}
}

// TestSherpaOutlivesBadModel has a model for which the library ends its process: that of the trial.
func TestSherpaOutlivesBadModel(t *testing.T) {
	dir := installed(t)
	bad := filepath.Join(dir, "bad-en")
	if err := errors.Join(os.Mkdir(bad, 0o755), sherpatest.English().WriteOfflineCTC(bad)); err != nil {
		t.Fatal(err)
	}
	model := filepath.Join(bad, "model.onnx")
	b, err := os.ReadFile(model)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(model, bytes.ReplaceAll(b, []byte("MaxPool"), []byte("MinPool")), 0o600); err != nil {
		t.Fatal(err)
	}
	e, client := startSherpa(t, "--models="+dir, "--use=bad-en,whole-en")
	said := strings.Split(strings.TrimSpace(e.stderr.String()), "\n")
	if len(said) != 1 || !strings.Contains(said[0], bad) || !strings.Contains(said[0], "MinPool") {
		t.Errorf("said %q, want a line with the folder and what the library said", said)
	}
	if models, err := client.Models(t.Context()); err != nil || len(models) != 1 || models[0].Name != "whole-en" {
		t.Errorf("models %v, %v", models, err)
	}
}

func TestProbe(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := installed(t)
	for _, name := range []string{"stream-en", "whole-en"} {
		if err := probe(t.Context(), self, []string{filepath.Join(dir, name)}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := probe(t.Context(), self, []string{dir}); err == nil || !strings.Contains(err.Error(), "model") {
		t.Errorf("a folder without a model: %v", err)
	}
	if err := probe(t.Context(), "/nonexistent", []string{dir}); err == nil {
		t.Error("a trial passed without a program")
	}
}

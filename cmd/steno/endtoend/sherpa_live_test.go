//go:build linux && cgo && (amd64 || arm64 || arm)

package endtoend_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"steno/audio"
	"steno/messages"
	"steno/session/asr/sherpa/sherpatest"
)

// TestInstalledModelsAreUsed installs models while the gateway runs, beside folders that hold no
// such thing, and speaks to them through whole live sessions: the language is found, partials come
// from the streaming model and finals from the offline one, with the right words at the right
// times.
func TestInstalledModelsAreUsed(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and starts the programs")
	}
	t.Parallel()
	bin := build(t)
	g := gatewayToBe(t, bin, "sherpa")
	p, err := g.launch()
	if err == nil {
		err = g.awaitAnswer(p, "/healthz") // without a model it is not ready
	}
	if err != nil {
		t.Fatal(err)
	}
	if got := g.languages(t); len(got) > 0 {
		t.Fatalf("languages %v without a model", got)
	}
	g.hostileModels(t)
	g.install(t, "tone-stream-en", sherpatest.English().WriteStreamingCTC, "en")
	g.install(t, "tone-whole-en", sherpatest.English().WriteOfflineTransducer, "en")
	g.install(t, "tone-whole-fr", sherpatest.French().WriteOfflineCTC, "fr")
	g.install(t, "tone-identifier", func(dir string) error { // looks like Whisper, which has a table of tokens
		return errors.Join(sherpatest.WriteIdentifier(dir, sherpatest.English(), sherpatest.French()),
			os.WriteFile(filepath.Join(dir, "tiny-tokens.txt"), []byte("IQ== 0\nIg== 1\n"), 0o600))
	}, "en", "fr")
	await(t, "the models", func() bool { return slices.Equal(g.languages(t), []string{"en", "fr"}) && g.detects(t) })

	for _, c := range []struct {
		alphabet sherpatest.Alphabet
		said     []string
		partials bool
	}{
		{sherpatest.English(), []string{"alpha", "bravo", "no", "hotel", "echo", "golf"}, true},
		{sherpatest.French(), []string{"bonjour", "merci", "oui", "jardin", "maison"}, false},
	} {
		partials, finals := g.converse(t, c.alphabet, c.said, c.partials)
		checkHeard(t, c.alphabet, c.said, finals)
		if c.partials && partials == 0 { // of French there may be some, as soon as the language is known
			t.Errorf("%s: no partials", c.alphabet.Language)
		}
	}
}

// install puts a model into the gateway's folder as an installer does: atomically.
func (g *gateway) install(t *testing.T, name string, write func(dir string) error, languages ...string) {
	t.Helper()
	hidden := filepath.Join(g.data, "models", "."+name)
	if err := os.MkdirAll(hidden, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := write(hidden); err != nil {
		t.Fatal(err)
	}
	manifest, _ := json.Marshal(map[string]any{"name": name, "languages": languages})
	if err := os.WriteFile(filepath.Join(hidden, "model.json"), manifest, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(hidden, filepath.Join(g.data, "models", name)); err != nil {
		t.Fatal(err)
	}
}

// hostileModels puts folders into the models' that no library should see.
func (g *gateway) hostileModels(t *testing.T) {
	t.Helper()
	for path, content := range map[string][]byte{
		"empty/.keep": nil, "text/model.onnx": []byte("no model"), "text/tokens.txt": []byte("a 0\n"),
		"huge-length/model.onnx":       bytes.Repeat([]byte{0x3a, 0xff, 0xff, 0xff, 0xff, 0x7f}, 100),
		"huge-length/tokens.txt":       []byte("a 0\n"),
		"folder-for-file/model.onnx/x": nil,
	} {
		path = filepath.Join(g.data, "models", path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// converse streams words in real time and returns how many partials came, and the finals. It stops
// speaking when all was said and, where partials are expected, one has come: a busy machine may be
// late with them.
func (g *gateway) converse(t *testing.T, a sherpatest.Alphabet, said []string, expected bool) (partials int,
	finals []messages.Utterance) {
	t.Helper()
	first := make(chan struct{}) // partial
	if !expected {
		close(first)
	}
	// Tones are no speech to the detector, so everything is let through.
	ctx, conn := g.dialLive(t, `{"pre_processing":{"speech_threshold":0},"maximum_duration_without_endpointing":60,
		"messages_config":{"receive_partial_transcripts":true}}`)
	samples, _ := a.Speak(said...)
	go func() {
		for chunk := range slices.Chunk(audio.AppendPCM(nil, samples), 3200) {
			_ = conn.Write(ctx, websocket.MessageBinary, chunk) // reading reports what is wrong
			time.Sleep(100 * time.Millisecond)
		}
		select {
		case <-first:
		case <-ctx.Done():
		}
		_ = conn.Write(ctx, websocket.MessageText, []byte(`{"type":"stop_recording"}`))
	}()
	hear(ctx, t, conn, func(_ string, final bool, u messages.Utterance) {
		if final {
			finals = append(finals, u)
		} else if partials++; partials == 1 && expected {
			close(first)
		}
	})
	return partials, finals
}

// checkHeard holds finals to what was said and when.
func checkHeard(t *testing.T, a sherpatest.Alphabet, said []string, finals []messages.Utterance) {
	t.Helper()
	_, pieces := a.Speak(said...)
	var starts []float64
	for _, p := range pieces {
		if strings.HasPrefix(p.Text, sherpatest.Start) {
			starts = append(starts, float64(p.Start)/sherpatest.SampleRate)
		}
	}
	var heard []string
	for _, u := range finals {
		if u.Language != a.Language {
			t.Errorf("language %q, want %q", u.Language, a.Language)
		}
		for _, w := range u.Words {
			if i := len(heard); i < len(starts) && (w.Start < starts[i]-0.1 || w.Start > starts[i]+0.1) {
				t.Errorf("%q at %v s, said at %v", w.Word, w.Start, starts[i])
			}
			heard = append(heard, strings.TrimSpace(w.Word))
		}
	}
	if !slices.Equal(heard, said) {
		t.Errorf("heard %q, want %q", heard, said)
	}
}

func (g *gateway) models(t *testing.T) messages.Model {
	t.Helper()
	var list messages.Models
	g.must(t, "GET", "/v2/models", "", &list)
	return list.Models[0]
}

func (g *gateway) languages(t *testing.T) []string { return g.models(t).Languages }
func (g *gateway) detects(t *testing.T) bool       { return g.models(t).Detection }

// must makes a request of the API that has to succeed.
func (g *gateway) must(t *testing.T, method, path, body string, into any) {
	t.Helper()
	if err := g.call(t.Context(), method, path, body, into); err != nil {
		t.Fatal(err)
	}
}

// await waits until something holds.
func await(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(readyWithin); !holds(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s did not come", what)
		}
	}
}

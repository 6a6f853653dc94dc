package local_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"steno/audio"
	"steno/cmd/cmdtest"
	"steno/session/asr"
	"steno/session/asr/asrtest"
	"steno/session/asr/local"
)

const (
	// debianAudio is where package pocketsphinx-testdata has its recordings: headerless 16-kHz PCM.
	debianAudio = "/usr/share/pocketsphinx/test/data"
	// debianModel is the acoustic model of package pocketsphinx-en-us.
	debianModel = "/usr/share/pocketsphinx/model/en-us/en-us"
)

func recording(t *testing.T, name string) []int16 {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(debianAudio, name))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("package pocketsphinx-testdata is not installed")
	}
	if err != nil {
		t.Fatal(err)
	}
	samples := make([]int16, len(b)/2)
	audio.DecodePCM(samples, b)
	return samples
}

// TestSphinx puts real recognition through the whole way: process, socket, interface.
func TestSphinx(t *testing.T) {
	if testing.Short() {
		t.Skip("decodes real speech many times over")
	}
	first, second := recording(t, "goforward.raw"), recording(t, "something.raw")
	config := local.Config{
		Binary: cmdtest.Build(t, "steno-engine"), Args: []string{"--engine=sphinx", "--slots=2", "--decoders=5"}, Dir: shortDir(t),
	}
	if _, err := os.Stat(debianModel); err != nil {
		t.Skip("package pocketsphinx-en-us is not installed")
	}
	open := func(t *testing.T) asr.Recognizer { return start(t, config) }
	t.Run("Words", func(t *testing.T) {
		result := final(t, open(t), first)
		var texts []string
		for _, w := range result.Words {
			texts = append(texts, w.Text)
		}
		if got := strings.Join(texts, " "); got != "go forward ten meters" || !result.Timed {
			t.Errorf("recognized %q, timed %v", got, result.Timed)
		}
	})
	if os.Getenv("STENO_TEST_ALL") == "" {
		return // the suite runs on the engine itself, and on other engines through a process: minutes of decoding saved
	}
	asrtest.Run(t, open, first, second)
}

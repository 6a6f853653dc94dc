package local_test

import (
	"os"
	"strings"
	"testing"

	"steno/audio/process/confine"
	"steno/cmd/cmdtest"
	"steno/session/asr"
	"steno/session/asr/asrtest"
	"steno/session/asr/asrtest/corpus"
	"steno/session/asr/local"
)

// debianModel is the acoustic model of package pocketsphinx-en-us.
const debianModel = "/usr/share/pocketsphinx/model/en-us/en-us"

// TestSphinx puts real recognition through the whole way: process, socket, interface.
func TestSphinx(t *testing.T) {
	if testing.Short() {
		t.Skip("decodes real speech many times over")
	}
	first, second := corpus.Debian(t, "goforward.raw"), corpus.Debian(t, "something.raw")
	config := local.Config{
		Binary: cmdtest.Build(t, "steno-engine"), Args: []string{"--engine=sphinx", "--slots=1", "--decoders=1"},
		Dir: shortDir(t), Rights: &confine.Rights{},
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
	config.Args = []string{"--engine=sphinx", "--slots=2", "--decoders=5"}
	asrtest.Run(t, open, first, second)
}

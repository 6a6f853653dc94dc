package moonshine

import (
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"steno/session/asr"
	"steno/session/asr/asrtest"
	"steno/session/asr/asrtest/corpus"
	"steno/session/asr/models"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const tiny = "moonshine-tiny-en"

// folder returns the folder that the environment variable STENO_TEST_MODELS names; it skips the
// test where Moonshine is not in there.
func folder(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("STENO_TEST_MODELS")
	if dir == "" || !models.IsMoonshine(filepath.Join(dir, tiny)) {
		t.Skip("STENO_TEST_MODELS names no folder with " + tiny)
	}
	return dir
}

// serve returns a recognizer that is closed at the end of the test.
func serve(t testing.TB, c Config) *Recognizer {
	t.Helper()
	c.Dir, c.Models = folder(t), []string{tiny}
	r, err := New(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// Both recordings are clear, so that each is decoded once.
func TestSuite(t *testing.T) {
	folder(t)
	asrtest.Run(t, func(t *testing.T) asr.Recognizer { return serve(t, Config{}) },
		corpus.Debian(t, "goforward.raw")[:12*rate/5], corpus.Debian(t, "something.raw")[:12*rate/5])
}

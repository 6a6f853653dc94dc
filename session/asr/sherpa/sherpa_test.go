package sherpa

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"steno/session/asr"
	"steno/session/asr/sherpa/internal/fakemodels"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Folders that [install] writes; their names contain the language.
const (
	streamCTC        = "tones-stream-ctc-en"
	streamTransducer = "tones-stream-transducer-en"
	wholeCTC         = "tones-whole-ctc-en"
	wholeTransducer  = "tones-whole-transducer-en"
	wholeFrench      = "tones-whole-ctc-fr"
	zipformer        = "zipformer-en" // of real size, without meaningful text
	zipformerMedium  = "zipformer-medium-en"
)

// install writes models to dir.
func install(t testing.TB, dir string, names ...string) {
	t.Helper()
	english, french := fakemodels.English(), fakemodels.French()
	for _, name := range names {
		write := map[string]func(string) error{
			streamCTC: english.WriteStreamingCTC, streamTransducer: english.WriteStreamingTransducer,
			wholeCTC: english.WriteOfflineCTC, wholeTransducer: english.WriteOfflineTransducer,
			wholeFrench:     french.WriteOfflineCTC,
			zipformer:       func(dir string) error { return fakemodels.WriteZipformer(dir, fakemodels.Small) },
			zipformerMedium: func(dir string) error { return fakemodels.WriteZipformer(dir, fakemodels.Medium) },
		}[name]
		put(t, dir, name, write)
	}
}

// open returns a recognizer of the models in dir, which has no problems.
func open(t testing.TB, c Config) *Recognizer {
	t.Helper()
	if !supported {
		t.Skip("this build is without the library")
	}
	if c.OnProblem == nil {
		c.OnProblem = func(folder string, err error) { t.Errorf("%s: %v", folder, err) }
	}
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

// serve returns a recognizer of freshly written models.
func serve(t testing.TB, c Config, names ...string) *Recognizer {
	t.Helper()
	c.Dir = t.TempDir()
	install(t, c.Dir, names...)
	return open(t, c)
}

// decode has samples decoded and returns the partials and the final.
func decode(t testing.TB, r asr.Recognizer, p asr.Params, samples []int16) ([]asr.Result, asr.Result) {
	t.Helper()
	u, err := r.Open(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(u.Write(samples), u.End()); err != nil {
		t.Fatal(err)
	}
	var partials []asr.Result
	for {
		result, err := u.Recv()
		if err != nil {
			t.Fatal(err)
		}
		result.Queued = 0 // independent of the text
		if result.Final {
			return partials, result
		}
		partials = append(partials, result)
	}
}

// uninstall removes a model atomically, as it should be done.
func uninstall(t testing.TB, dir, name string) {
	t.Helper()
	gone := filepath.Join(dir, ".gone")
	if err := errors.Join(os.Rename(filepath.Join(dir, name), gone), os.RemoveAll(gone)); err != nil {
		t.Fatal(err)
	}
}

//go:build linux && amd64

package vocabulary

import (
	"os"
	"path/filepath"
	"testing"

	"steno/session/asr/asrtest/corpus"
	"steno/session/asr/moonshine"
)

// Of what a neural recognizer writes, with its confidences, capitals and marks, no word becomes one
// that nobody said.
func TestNeuralRecordings(t *testing.T) {
	const model = "moonshine-tiny-en"
	folder := os.Getenv("STENO_TEST_MODELS")
	if _, err := os.Stat(filepath.Join(folder, model)); folder == "" || err != nil {
		t.Skip("STENO_TEST_MODELS names no folder with " + model)
	}
	n := 0
	clips := corpus.Read(t, func(e corpus.Entry) bool {
		if !corpus.ReadEnglish(e) {
			return false
		}
		n++
		return n%36 == 0
	})
	r, err := moonshine.New(t.Context(), moonshine.Config{Dir: folder, Models: []string{model}, Slots: 1, Decodes: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	nobodys := corrector(defaultIntensity, unspoken...)
	words, changed, known := 0, 0, 0
	for _, c := range clips {
		u := recognize(t, r, c.Samples)
		words += len(u.Words)
		for _, w := range u.Words {
			if w.Confidence > 0 {
				known++
			}
		}
		if n := difference(u.Words, nobodys.Apply(u).Words); n > 0 {
			t.Errorf("%d of%s became%s", n, u.Text, nobodys.Apply(u).Text)
			changed += n
		}
	}
	if words == 0 || known < words || changed > 0 {
		t.Errorf("%d of %d words changed, %d had confidences", changed, words, known)
	}
}

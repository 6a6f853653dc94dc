package twopass_test

import (
	"os"
	"testing"

	"steno/session/asr"
	"steno/session/asr/asrtest"
	"steno/session/asr/asrtest/corpus"
	"steno/session/asr/sphinx"
)

// TestSuiteWithSphinx follows speech with a real recognizer whose decoders are its own, and decodes
// with the scripted one, then the other way round.
func TestSuiteWithSphinx(t *testing.T) {
	audio := [][]int16{corpus.Debian(t, "goforward.raw"), corpus.Debian(t, "something.raw")}
	t.Run("Partials", func(t *testing.T) {
		asrtest.Run(t, func(t *testing.T) asr.Recognizer { return join(t, pocketsphinx(t), english()) }, audio...)
	})
	t.Run("Finals", func(t *testing.T) {
		if os.Getenv("STENO_TEST_ALL") == "" {
			t.Skip("decodes minutes of audio: STENO_TEST_ALL=1 does")
		}
		asrtest.Run(t, func(t *testing.T) asr.Recognizer { return join(t, english(), pocketsphinx(t)) }, audio...)
	})
}

// pocketsphinx has the small models of Debian's test data: what is tested does not depend on them.
func pocketsphinx(t *testing.T) asr.Recognizer {
	t.Helper()
	r, err := sphinx.New(t.Context(), sphinx.Config{Slots: 2, Decoders: 3,
		LM: corpus.DebianFolder + "/turtle.lm.bin", Dict: corpus.DebianFolder + "/turtle.dic"})
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

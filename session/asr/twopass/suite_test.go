package twopass_test

import (
	"testing"

	"go.uber.org/goleak"

	"steno/session/asr"
	"steno/session/asr/asrtest"
	"steno/session/asr/twopass"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// join puts two recognizers together for a test, and closes them after it.
func join(t *testing.T, partials, finals asr.Recognizer) *twopass.Recognizer {
	t.Helper()
	r := twopass.New(partials, finals)
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

func TestSuite(t *testing.T) {
	open := func(t *testing.T) asr.Recognizer { return join(t, english(), english()) }
	asrtest.Run(t, open, asrtest.Ramp(2*asr.Rate, 1), asrtest.Ramp(5*asr.Rate, 77), asrtest.Ramp(700, 5))
}

package scripted_test

import (
	"testing"

	"go.uber.org/goleak"

	"steno/session/asr"
	"steno/session/asr/asrtest"
	"steno/session/asr/scripted"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestSuite(t *testing.T) {
	open := func(*testing.T) asr.Recognizer { return scripted.New(scripted.Config{Languages: []string{"en"}}) }
	asrtest.Run(t, open, ramp(2*asr.Rate, 1), ramp(5*asr.Rate, 77), ramp(700, 5))
}

//go:build linux && amd64

package sphinx

import (
	"testing"

	"steno/session/asr"
	"steno/session/asr/asrtest"
	"steno/session/asr/asrtest/corpus"
)

func TestConformance(t *testing.T) {
	asrtest.Run(t, func(t *testing.T) asr.Recognizer {
		return start(t, small(Config{Slots: 2, Decoders: 3}))
	}, librivox(t, "0930")[:3*asr.Rate/2], corpus.Debian(t, "goforward.raw"))
}

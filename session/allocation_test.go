//go:build !race

package session

import (
	"testing"

	"steno/session/asr"
)

// A frame of silence allocates nothing. The race detector has sync.Pool lose what it is given, which is then made anew.
func TestSilenceAllocatesNothing(t *testing.T) {
	noise := roomNoise(3 * 32000)
	s := open(t, &localAudio{Memory{NoAudio: true}}, `{}`, asr.Live, nothing{})
	defer s.Abandon()
	write := func(p []byte) {
		if err := s.Write(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	for p := noise; len(p) > 0; p = p[640:] {
		write(p[:640])
	}
	at := 0
	if n := testing.AllocsPerRun(100, func() {
		write(noise[at : at+640])
		at += 640
	}); n > 0 {
		t.Errorf("a frame makes %v allocations", n)
	}
}

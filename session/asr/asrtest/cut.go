package asrtest

import (
	"errors"
	"testing"

	"steno/session/asr"
)

// testCut takes back what an utterance has of the next one, which was announced or, of every other
// utterance, not: the final is that of the rest. A stream that cannot do this returns
// errors.ErrUnsupported, and continues.
func (s *suite) testCut(t *testing.T) {
	for i, samples := range s.audio {
		more := s.audio[(i+1)%len(s.audio)]
		more = more[:min(len(more), len(samples))]
		u := s.open(t, t.Context(), asr.Params{Partials: true})
		write(t, u, samples, 1600)
		if told := i%2 == 0; told {
			if err := asr.Tentative(u, len(samples)); err != nil {
				t.Errorf("tentative: %v", err)
			}
		}
		write(t, u, more, 1600)
		err := asr.Cut(u, len(samples))
		end(t, u)
		_, final := receive(t, u)
		switch {
		case err == nil:
			same(t, "final", final, s.want[i])
		case !errors.Is(err, errors.ErrUnsupported):
			t.Errorf("cut: %v", err)
		}
	}
}

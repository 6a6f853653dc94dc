package capabilities

import (
	"slices"
	"testing"

	"steno/session/asr"
)

func TestTurnsAreOrderedNumberedAndWithinTheAudio(t *testing.T) {
	found := []segment{{2, 3, 4}, {-1, 0.5, 7}, {1, 2.5, 4}, {9, 11, 0}, {3, 3, 1}, {12, 14, 2}}
	got := turns(found, 10*asr.Rate)
	want := []asr.Turn{
		{Start: 0, End: 8000, Speaker: 0}, {Start: 16000, End: 40000, Speaker: 1}, {Start: 32000, End: 48000,
			Speaker: 1},
		{Start: 144000, End: 160000, Speaker: 2},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if n := speakers(found); n != 5 {
		t.Errorf("%d speakers", n)
	}
}

// TestPadFitsWindows checks what keeps the library from looking for speech after the end.
func TestPadFitsWindows(t *testing.T) {
	for _, window := range []int{10, 32000, 160000} {
		for _, n := range []int{1, window - 1, window, window + 1, window + window/10, 3*window + 7} {
			got := len(pad(make([]float32, n), window))
			if got < n || got <= window || (got-window)%(window/10) != 0 || got >= max(n, window+1)+window/10 {
				t.Errorf("%d samples, window of %d: padded to %d", n, window, got)
			}
		}
	}
}

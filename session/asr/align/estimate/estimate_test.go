package estimate_test

import (
	"strings"
	"testing"

	"steno/session/asr"
	"steno/session/asr/align/estimate"
)

// TestSpans has words lie in what is loud, in the order of their lengths, and none over a pause.
func TestSpans(t *testing.T) {
	const second = asr.Rate
	samples := make([]int16, 4*second)
	for i := range samples {
		if i >= second/2 && i < second*3/2 || i >= second*5/2 && i < second*7/2 {
			samples[i] = int16(3000 * (1 - i%2*2))
		}
	}
	spans := estimate.Spans(samples, strings.Fields("go somewhere - now indeed"))
	at := second * 2 / 5
	for i, s := range spans {
		if s.Known || s.Start < at || s.End < s.Start || s.End > second*18/5 {
			t.Errorf("word %d lies from %d to %d", i, s.Start, s.End)
		}
		at = s.End
	}
	if spans[1].End > second*8/5 || spans[3].Start < second*12/5 {
		t.Errorf("words reach over the pause: %+v", spans)
	}
	if a, b := spans[0], spans[1]; 3*(a.End-a.Start) > b.End-b.Start {
		t.Errorf("a word of 2 letters is as long as one of 9: %+v, %+v", a, b)
	}
}

// TestSpansWithoutRoom has more words than fit.
func TestSpansWithoutRoom(t *testing.T) {
	for _, n := range []int{0, 1, 100, 1000} {
		spans := estimate.Spans(make([]int16, n), strings.Fields(strings.Repeat("word ", 50)))
		at := 0
		for _, s := range spans {
			if s.Start < at || s.End < s.Start || s.End > n {
				t.Fatalf("%d samples: %+v", n, spans)
			}
			at = s.End
		}
	}
}

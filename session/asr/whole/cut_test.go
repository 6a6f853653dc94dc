package whole

import (
	"slices"
	"testing"

	"steno/session/asr"
)

func TestCut(t *testing.T) {
	const most = 10 * asr.Rate
	samples := make([]int16, 25*asr.Rate)
	for i := range samples {
		samples[i] = int16(1000 + i%2000)
	}
	hush := func(second int) { // 0.3 s, but for a click
		for i := range asr.Rate * 3 / 10 {
			samples[second*asr.Rate+i] = int16(i % 3)
		}
	}
	hush(3) // in the first half: too soon
	hush(7)
	hush(14)
	parts := Cut(samples, most)
	if !slices.Equal(slices.Concat(parts...), samples) {
		t.Error("the parts are not the whole")
	}
	at := 0
	for i, second := range []int{7, 14} {
		at += len(parts[i])
		if at < second*asr.Rate || at > second*asr.Rate+asr.Rate*3/10 {
			t.Errorf("cut at %d, not in the silence at %d s", at, second)
		}
	}
	for _, p := range parts {
		if len(p) > most {
			t.Errorf("a part of %d samples", len(p))
		}
	}
	if n := len(Cut(samples, 0)); n != 1 {
		t.Errorf("%d parts without a limit", n)
	}
	if n := len(Cut(samples, len(samples))); n != 1 {
		t.Errorf("%d parts of what is not too long", n)
	}
}

package sherpa

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
	parts := cut(samples, most)
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
	if n := len(cut(samples, 0)); n != 1 {
		t.Errorf("%d parts without a limit", n)
	}
	if n := len(cut(samples, len(samples))); n != 1 {
		t.Errorf("%d parts of what is not too long", n)
	}
}

func TestJoin(t *testing.T) {
	a := hypothesis{text: " one", tokens: []string{" one"}, starts: []float32{0.5}, logs: []float32{-1}}
	b := hypothesis{text: "two", tokens: []string{" two"}, starts: []float32{0.25}, logs: []float32{-2}, language: "en"}
	got, timed := words(hypothesis{}.join(a, 0).join(hypothesis{}, 5).join(b, 20), 30*asr.Rate)
	if !timed || len(got) != 2 || got[1].Text != "two" || got[1].Start != 20*asr.Rate+asr.Rate/4 || got[1].Confidence != 0.135 {
		t.Errorf("joined %+v, timed %v", got, timed)
	}
	b.starts = nil
	if got, timed := words(a.join(b, 1), 30*asr.Rate); timed || got[0].Confidence == 0 {
		t.Errorf("with a part without times: %+v, timed %v", got, timed)
	}
}

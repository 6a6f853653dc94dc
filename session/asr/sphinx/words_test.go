package sphinx

import (
	"testing"

	"steno/session/asr"
)

func TestConfidenceRisesWithThePosterior(t *testing.T) {
	last := 0.0
	for p := -0.1; p <= 1.1; p += 0.01 {
		c := confidence(p)
		if c < last || c < 0.17 || c > 0.86 {
			t.Fatalf("posterior %.2f: %v after %v", p, c, last)
		}
		last = c
	}
	for _, point := range calibration {
		if got := confidence(point[0]); got != point[1] {
			t.Errorf("posterior %v: %v, want %v", point[0], got, point[1])
		}
	}
}

func TestOnlyWordsAreKept(t *testing.T) {
	path := []segment{
		{word: "<s>", start: 0, end: 10, posterior: 1}, {word: "the(2)", start: 10, end: 20, posterior: .5},
		{word: "<sil>", start: 20, end: 30, posterior: 1}, {word: "[NOISE]", start: 30, end: 40, posterior: 1},
		{word: "++UM++", start: 40, end: 50, posterior: 1},
		{word: "it's", start: 50, end: 60, posterior: 1.0001}, {word: "a(b", start: 60, end: 70, posterior: 1},
		{word: "late", start: 90, end: 120, posterior: 1}, {word: "</s>", start: 120, end: 130, posterior: 1},
		{word: "", start: 130, end: 131, posterior: 1},
	}
	want := []asr.Word{
		{Text: "the", Start: 1600, End: 3200, Confidence: confidence(.5)},
		{Text: "it's", Start: 8000, End: 9600, Confidence: .86},
		{Text: "a(b", Start: 9600, End: 11200, Confidence: .86},
		{Text: "late", Start: 14400, End: 16000, Confidence: .86},
	}
	got := words(path, 16000)
	if len(got) != len(want) {
		t.Fatalf("%v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%+v, want %+v", got[i], want[i])
		}
	}
}

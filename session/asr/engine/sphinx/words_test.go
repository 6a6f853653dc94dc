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
		{"<s>", 0, 10, 1}, {"the(2)", 10, 20, .5}, {"<sil>", 20, 30, 1}, {"[NOISE]", 30, 40, 1}, {"++UM++", 40, 50, 1},
		{"it's", 50, 60, 1.0001}, {"a(b", 60, 70, 1}, {"late", 90, 120, 1}, {"</s>", 120, 130, 1}, {"", 130, 131, 1},
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

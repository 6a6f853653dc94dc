package sphinx

import "testing"

func TestEvidence(t *testing.T) {
	sure := segment{start: 0, end: 60, posterior: 1, acoustic: -4}
	for name, s := range map[string]segment{
		"shorter":     {start: 0, end: 30, posterior: 1, acoustic: -4},
		"less sure":   {start: 0, end: 60, posterior: .9, acoustic: -4},
		"less like":   {start: 0, end: 60, posterior: 1, acoustic: -5},
		"in the dark": {start: 0, end: 60, posterior: 0, acoustic: -4},
	} {
		if s.evidence() >= sure.evidence() {
			t.Errorf("%s: %.2f is not below %.2f", name, s.evidence(), sure.evidence())
		}
	}
}

// The more words may be recognized by chance, the more evidence a word needs, and more still at a
// low intensity.
func TestNeededEvidence(t *testing.T) {
	needs := func(tenths, of int) float64 { return addedWord{tenths: tenths}.needs(of) }
	if needs(5, 67) != neededEvidence || needs(5, 1) != leastEvidence {
		t.Errorf("%v of 67, %v of 1", needs(5, 67), needs(5, 1))
	}
	for tenths := 1; tenths < 10; tenths++ {
		for of := 1; of < 1000; of *= 2 {
			if tenths < 5 && needs(tenths, of) <= needs(tenths+1, of) || needs(tenths, of) < needs(tenths+1, of) ||
				needs(tenths, of) > needs(tenths, 2*of) || needs(tenths+1, of) <= 0 {
				t.Errorf("at %d tenths %v of %d; %v at a tenth more, %v of twice as many",
					tenths, needs(tenths, of), of, needs(tenths+1, of), needs(tenths, 2*of))
			}
		}
	}
}
